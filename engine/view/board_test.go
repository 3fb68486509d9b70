package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// n returns the id of the n-th spec of a board.
func n(n int) string { return fmt.Sprintf("2026-01-02-%03d-abc", n) }

// board returns a project with a spec in every state that exists without a run.
func board(t *testing.T) *engine.Project {
	t.Helper()
	p, dir := enginetest.Project(t)
	const claim = "\n\n## Acceptance Criteria\n\n- [x] done\n- [ ] to do\n- [ ] and more\n"
	files := map[string]string{}
	add := func(id, front, body string) {
		files[".chant/specs/"+id+".md"] = "---\n" + front + "---\n" + body
	}
	add(n(1), "status: pending\ntype: code\nlabels: [api, ui]\npriority: high\n", "# Parser of words\n\nReads input."+claim)
	add(n(2), "status: pending\ndepends_on: ["+n(1)+"]\nlabels: [ui]\n", "# Printer"+claim)
	add(n(3), "status: completed\ndepends_on: ["+n(1)+"]\nlabels: [api]\ncompleted_at: 2026-01-02T00:00:00Z\nmodel: large\n", "# Done"+claim)
	add(n(4), "status: failed\nreason: it broke\nreason_code: agent\n", "# Broken"+claim)
	add(n(5), "status: needs_attention\nreason: \"drifted: a\"\nreason_code: drifted\n", "# Flagged"+claim)
	add(n(6), "status: cancelled\n", "# Dropped"+claim)
	add(n(7), "status: paused\n", "# Stopped"+claim)
	add(n(8), "status: in_progress\ntype: task\n", "# By hand"+claim)
	files[".chant/specs/"+n(9)+".md"] = "---\nstatus: [\n---\n# Unreadable\n"
	add(n(10), "type: driver\nstatus: pending\n", "# Parts\n")
	add(n(10)+".1", "status: pending\n", "# First part"+claim)
	add(n(10)+".2", "status: completed\n", "# Second part"+claim)
	add(n(12), "status: completed\n", "# Empty\n")
	add(n(13), "status: pending\napproval:\n  required: true\n  status: pending\n", "# To approve"+claim)
	add(n(14), "status: pending\ndepends_on: ["+n(11)+", "+n(99)+"]\n", "# Waits for one that is missing"+claim)
	add(n(15), "status: pending\ndepends_on: ["+n(16)+"]\n", "# One way"+claim)
	add(n(16), "status: pending\ndepends_on: ["+n(15)+"]\n", "# And back"+claim)
	files[".chant/archive/2026-01-02/"+n(11)+".md"] = "---\nstatus: completed\nlabels: [old]\n---\n# Put away\n\nThe Parser of old."
	files[".chant/archive/2026-01-02/"+n(17)+".md"] = "---\nstatus: [\n---\n# Put away and unreadable\n"
	enginetest.Commit(t, dir, files)
	return p
}

// ids returns the ids of rows, without their common prefix.
func ids(rows []Row) string {
	var out []string
	for _, r := range rows {
		out = append(out, strings.ReplaceAll(strings.TrimPrefix(r.ID, "2026-01-02-"), "-abc", ""))
	}
	return strings.Join(out, " ")
}

func ptr(text string) *string { return &text }

// TestList filters a list in every way.
func TestList(t *testing.T) {
	t.Parallel()
	p := board(t)
	const every = "001 002 003 004 005 006 007 008 009 010 010.1 010.2 012 013 014 015 016"
	for name, c := range map[string]struct {
		in    ListInput
		want  string
		total int
	}{
		"all":                      {ListInput{}, every, 17},
		"pending":                  {ListInput{Status: ptr("pending")}, "001 002 010 010.1 013 014 015 016", 8},
		"completed":                {ListInput{Status: ptr("completed")}, "003 010.2 012", 3},
		"computed: ready":          {ListInput{Status: ptr("ready")}, "001 010.1", 2},
		"computed: blocked":        {ListInput{Status: ptr("blocked")}, "002 013 014 015 016", 5},
		"ready":                    {ListInput{Ready: true}, "001 010.1", 2},
		"ready, but failed":        {ListInput{Ready: true, Status: ptr("failed")}, "", 0},
		"unreadable":               {ListInput{Status: ptr("invalid")}, "009", 1},
		"a type":                   {ListInput{Type: "task"}, "008", 1},
		"the usual type":           {ListInput{Type: "driver"}, "010", 1},
		"a label":                  {ListInput{Labels: []string{"api"}}, "001 003", 2},
		"one of two labels":        {ListInput{Labels: []string{"api", "ui"}}, "001 002 003", 3},
		"a label nobody has":       {ListInput{Labels: []string{"none"}}, "", 0},
		"a label and a status":     {ListInput{Labels: []string{"api"}, Status: ptr("completed")}, "003", 1},
		"bounded":                  {ListInput{Limit: 3}, "001 002 003", 17},
		"bounded by more than all": {ListInput{Limit: 100}, every, 17},
		"bounded by none":          {ListInput{Limit: -1}, every, 17},
	} {
		r, err := List(t.Context(), p, c.in)
		if err != nil || ids(r.Specs) != c.want || r.Total != c.total || r.Returned != len(r.Specs) || r.Limit != c.in.Limit || r.Specs == nil {
			t.Errorf("%s: %q of %d, %v, want %q of %d", name, ids(r.Specs), r.Total, err, c.want, c.total)
		}
	}
	if r, err := Ready(t.Context(), p, ReadyInput{Limit: 1}); err != nil || ids(r.Specs) != "001" || r.Total != 2 {
		t.Errorf("ready: %+v, %v", r, err)
	}
	for _, word := range []string{"", "done", "Pending", "archived"} {
		if _, err := List(t.Context(), p, ListInput{Status: &word}); enginetest.CodeOf(t, err) != engine.Usage || !strings.Contains(err.Error(), "needs_attention") {
			t.Errorf("status %q: %v", word, err)
		}
	}
}

// TestList_rows checks the row of a spec, and that of an unreadable one, which gives the reason.
func TestList_rows(t *testing.T) {
	t.Parallel()
	r, err := List(t.Context(), board(t), ListInput{})
	if err != nil {
		t.Fatal(err)
	}
	row := func(id string) Row {
		return r.Specs[slices.IndexFunc(r.Specs, func(r Row) bool { return r.ID == id })]
	}
	if got := row(n(1)); got.Title != "Parser of words" || got.Type != "code" || !got.Ready || got.Blocked || got.Landed != nil || got.Error != "" {
		t.Errorf("%+v", got)
	}
	if got := row(n(2)); got.Ready || !got.Blocked || !slices.Equal(got.DependsOn, spec.StringList{n(1)}) {
		t.Errorf("%+v", got)
	}
	if got := row(n(3)); got.Landed == nil || !*got.Landed || got.Nothing != "" || got.Ready || got.Blocked {
		t.Errorf("%+v", got)
	}
	if got := row(n(12)); got.Nothing != criteria.Nothing {
		t.Errorf("a completed spec with nothing to verify: %+v", got)
	}
	if got := row(n(9)); got.Status != "invalid" || !strings.Contains(got.Error, n(9)+".md:2") || got.Title != "" {
		t.Errorf("%+v", got)
	}
	if got := row(n(8)); got.Run != "" || got.RetryAt != "" {
		t.Errorf("worked by hand, without a run: %+v", got)
	}
}

// TestDeps lists dependencies, dependents, members and blockers of a spec.
func TestDeps(t *testing.T) {
	t.Parallel()
	p := board(t)
	of := func(in DepsInput) DepsResult {
		t.Helper()
		r, err := Deps(t.Context(), p, in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	names := func(all []Neighbour) string {
		var out []string
		for _, one := range all {
			out = append(out, fmt.Sprintf("%s %s %v", one.ID, one.Status, one.Done))
		}
		return strings.Join(out, "; ")
	}
	if r := of(DepsInput{ID: "001"}); r.ID != n(1) || !r.Ready || names(r.Dependents) != n(2)+" pending false; "+n(3)+" completed true" || len(r.DependsOn) != 0 || len(r.Waits) != 0 {
		t.Errorf("%+v", r)
	}
	if r := of(DepsInput{ID: n(2)}); r.Ready || names(r.DependsOn) != n(1)+" pending false" || len(r.Waits) != 1 || r.Waits[0].ID != n(1) {
		t.Errorf("%+v", r)
	}
	if r := of(DepsInput{ID: n(14)}); names(r.DependsOn) != n(11)+" archived true; "+n(99)+" missing false" || len(r.Waits) != 1 || r.Waits[0].ID != n(99) {
		t.Errorf("%+v", r)
	}
	if r := of(DepsInput{ID: n(10)}); names(r.Members) != n(10)+".1 pending false; "+n(10)+".2 completed true" || r.MembersTotal != 2 {
		t.Errorf("%+v", r)
	}
	if r := of(DepsInput{ID: n(10), Limit: 1}); names(r.Members) != n(10)+".1 pending false" || r.MembersTotal != 2 {
		t.Errorf("bounded: %+v", r)
	}
	if r := of(DepsInput{ID: n(10) + ".1"}); !slices.Equal(r.Drivers, []string{n(10)}) {
		t.Errorf("%+v", r)
	}
	if r := of(DepsInput{ID: n(15)}); !slices.Contains(r.Cycle, n(16)) || !slices.Contains(r.Cycle, n(15)) || r.Ready {
		t.Errorf("%+v", r)
	}
	if r := of(DepsInput{ID: n(3)}); len(r.Waits) != 0 || len(r.DependsOn) != 1 || r.Dependents == nil || r.DependsOn == nil {
		t.Errorf("what is completed waits for nothing, and lists are never null: %+v", r)
	}
	for id, code := range map[string]engine.Code{"nowhere": engine.NotFound, n(9): engine.Invalid, n(11): engine.State} {
		if _, err := Deps(t.Context(), p, DepsInput{ID: id}); enginetest.CodeOf(t, err) != code {
			t.Errorf("%s: %v, want %s", id, err, code)
		}
	}
}

// TestStatus counts every spec once, and explains those that make no progress by themselves, the most urgent first.
func TestStatus(t *testing.T) {
	t.Parallel()
	p := board(t)
	r, err := Status(t.Context(), p, StatusInput{Activity: true, Usage: true})
	if err != nil {
		t.Fatal(err)
	}
	sum := r.Pending + r.InProgress + r.Paused + r.Completed + r.Failed + r.Blocked + r.Cancelled + r.NeedsAttention + r.Invalid
	if r.Total != 17 || sum != r.Total {
		t.Errorf("%d of %d are counted", sum, r.Total)
	}
	// A driver with open members is pending, but neither ready nor blocked.
	if r.Brief != "3 pending | 1 in_progress | 1 paused | 3 completed | 1 failed | 5 blocked | 1 needs_attention | 1 cancelled | 1 invalid" || r.Ready != 2 {
		t.Errorf("%q, %d ready", r.Brief, r.Ready)
	}
	var open []string
	for _, one := range r.Open {
		open = append(open, strings.TrimPrefix(strings.TrimSuffix(one.ID, "-abc"), "2026-01-02-"))
		if one.Why == "" || one.Next.Equal(next.Step{}) {
			t.Errorf("%s is listed without a reason or a next step: %+v", one.ID, one)
		}
	}
	if got := strings.Join(open, " "); got != "009 005 004 007 002 013 014 015 016" || r.OpenMore != 0 {
		t.Errorf("%s, and %d more", got, r.OpenMore)
	}
	if len(r.Runs) != 0 {
		t.Errorf("runs without a run: %+v", r.Runs)
	}
	if len(r.Activity) != 1 || r.Activity[0].ID != n(8) || r.Activity[0].HasLog || r.Activity[0].SpecModified == "" {
		t.Errorf("%+v", r.Activity)
	}
	if r.Usage == nil || r.Usage.Agents != 0 || r.Today != nil || r.Limit != "" {
		t.Errorf("used without an agent: %+v, %+v, %q", r.Usage, r.Today, r.Limit)
	}
}

func TestStatusResult_brief(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]StatusResult{
		"No specs":                 {},
		"1 pending":                {Total: 1, Pending: 1},
		"2 completed | 3 invalid":  {Completed: 2, Invalid: 3},
		"1 pending | 1 blocked":    {Pending: 1, Blocked: 1, Ready: 1},
		"1 in_progress | 1 failed": {InProgress: 1, Failed: 1},
	} {
		if got := r.brief(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestUrgency: only specs that need a person or another spec count as open.
func TestUrgency(t *testing.T) {
	t.Parallel()
	of := func(id string, status spec.Status, branch string, depends ...string) *spec.Spec {
		return &spec.Spec{ID: id, Status: status, Branch: branch, Fields: spec.Fields{DependsOn: depends}}
	}
	all := []*spec.Spec{
		of(n(1), spec.NeedsAttention, ""), of(n(2), spec.Failed, "chant/x"), of(n(3), spec.Paused, ""), of(n(4), spec.Pending, "chant/y"),
		of(n(5), spec.Pending, "", n(2)), of(n(6), spec.Pending, ""), of(n(7), spec.Completed, ""), of(n(8), spec.Cancelled, ""), of(n(9), spec.InProgress, ""),
	}
	g := spec.NewGraph(all, nil)
	for i, want := range []int{1, 2, 3, 3, 4, 0, 0, 0, 0} {
		if got := urgency(g, all[i], g.Blocked(all[i].ID)); got != want {
			t.Errorf("%s: %d, want %d", all[i].Status, got, want)
		}
	}
}
