package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/run/advice"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
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
		"a type":                   {ListInput{Selection: Selection{Type: "task"}}, "008", 1},
		"the usual type":           {ListInput{Selection: Selection{Type: "driver"}}, "010", 1},
		"a label":                  {ListInput{Selection: Selection{Labels: []string{"api"}}}, "001 003", 2},
		"one of two labels":        {ListInput{Selection: Selection{Labels: []string{"api", "ui"}}}, "001 002 003", 3},
		"a label nobody has":       {ListInput{Selection: Selection{Labels: []string{"none"}}}, "", 0},
		"a label and a status":     {ListInput{Selection: Selection{Labels: []string{"api"}}, Status: ptr("completed")}, "003", 1},
		"bounded":                  {ListInput{Limit: 3}, "001 002 003", 17},
		"bounded by more than all": {ListInput{Limit: 100}, every, 17},
		"bounded by none":          {ListInput{Limit: -1}, every, 17},
	} {
		r, err := List(t.Context(), p, c.in)
		assert.NoError(t, err, "%v", name)
		assert.Equal(t, c.want, ids(r.Specs), "%v", name)
		assert.Equal(t, c.total, r.Total, "%v", name)
		assert.Equal(t, len(r.Specs), r.Returned, "%v", name)
		assert.Equal(t, c.in.Limit, r.Limit, "%v", name)
		assert.True(t, r.Specs != nil, "%v %v %v %v %v", name, r.Total, err, c.want, c.total)
	}
	r, err := Ready(t.Context(), p, ReadyInput{Limit: 1})
	assert.NoError(t, err)
	assert.Equal(t, "001", ids(r.Specs))
	assert.Equal(t, 2, r.Total)
	for _, word := range []string{"", "done", "Pending", "archived"} {
		_, err := List(t.Context(), p, ListInput{Status: &word})
		assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "status %q", word)
		assert.Contains(t, err.Error(), "needs_attention", "status %q", word)
	}
}

// TestList_rows checks the row of a spec, and that of an unreadable one, which gives the reason.
func TestList_rows(t *testing.T) {
	t.Parallel()
	r, err := List(t.Context(), board(t), ListInput{})
	assert.NoError(t, err)
	row := func(id string) Row {
		return r.Specs[slices.IndexFunc(r.Specs, func(r Row) bool { return r.ID == id })]
	}
	got := row(n(1))
	assert.Equal(t, "Parser of words", got.Title)
	assert.Equal(t, "code", got.Type)
	assert.True(t, got.Ready, "%+v", got)
	assert.False(t, got.Blocked, "%+v", got)
	assert.Zero(t, got.Landed)
	assert.Equal(t, "", got.Error)
	got = row(n(2))
	assert.False(t, got.Ready, "%+v", got)
	assert.True(t, got.Blocked, "%+v", got)
	assert.Equal(t, spec.StringList{n(1)}, got.DependsOn)
	got = row(n(3))
	assert.NotZero(t, got.Landed)
	assert.True(t, *got.Landed, "%+v", got)
	assert.Equal(t, "", got.Nothing)
	assert.False(t, got.Ready, "%+v", got)
	assert.False(t, got.Blocked, "%+v", got)
	got = row(n(12))
	assert.Equal(t, criteria.Nothing, got.Nothing, "a completed spec with nothing to verify: %+v", got)
	got = row(n(9))
	assert.Equal(t, "invalid", got.Status)
	assert.Contains(t, got.Error, n(9)+".md:2")
	assert.Equal(t, "", got.Title)
	got = row(n(8))
	assert.Equal(t, "", got.Run, "worked by hand, without a run")
	assert.Equal(t, "", got.RetryAt, "worked by hand, without a run")
}

// TestDeps lists dependencies, dependents, members and blockers of a spec.
func TestDeps(t *testing.T) {
	t.Parallel()
	p := board(t)
	of := func(in DepsInput) DepsResult {
		t.Helper()
		r, err := Deps(t.Context(), p, in)
		assert.NoError(t, err)
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
	r := of(DepsInput{ID: n(10) + ".1"})
	assert.Equal(t, []string{n(10)}, r.Drivers, "%+v", r)
	r = of(DepsInput{ID: n(15)})
	assert.SliceContains(t, r.Cycle, n(16))
	assert.SliceContains(t, r.Cycle, n(15))
	assert.False(t, r.Ready, "%+v", r)
	r = of(DepsInput{ID: n(3)})
	assert.Zero(t, r.Waits, "what is completed waits for nothing, and lists are never null")
	assert.Equal(t, 1, len(r.DependsOn), "what is completed waits for nothing, and lists are never null")
	assert.True(t, r.Dependents != nil, "what is completed waits for nothing, and lists are never null: %+v", r)
	assert.True(t, r.DependsOn != nil, "what is completed waits for nothing, and lists are never null: %+v", r)
	for id, code := range map[string]engine.Code{"nowhere": engine.NotFound, n(9): engine.Invalid, n(11): engine.State} {
		_, err := Deps(t.Context(), p, DepsInput{ID: id})
		assert.Equal(t, code, enginetest.CodeOf(t, err), "%s", id)
	}
}

// TestStatus counts every spec once, and explains those that make no progress by themselves, the most urgent first.
func TestStatus(t *testing.T) {
	t.Parallel()
	p := board(t)
	r, err := Status(t.Context(), p, StatusInput{Activity: true, Usage: true})
	assert.NoError(t, err)
	sum := r.Pending + r.InProgress + r.Paused + r.Completed + r.Failed + r.Blocked + r.Cancelled + r.NeedsAttention + r.Invalid
	assert.Equal(t, 17, r.Total)
	assert.Equal(t, r.Total, sum)
	// A driver with open members is pending, but neither ready nor blocked.
	assert.Equal(t, "3 pending | 1 in_progress | 1 paused | 3 completed | 1 failed | 5 blocked | 1 needs_attention | 1 cancelled | 1 invalid", r.Brief)
	assert.Equal(t, 2, r.Ready)
	var open []string
	for _, one := range r.Open {
		open = append(open, strings.TrimPrefix(strings.TrimSuffix(one.ID, "-abc"), "2026-01-02-"))
		assert.NotEqual(t, "", one.Why, "%s is listed without a reason or a next step", one.ID)
		assert.False(t, one.Next.IsZero(), "%s is listed without a reason or a next step: %+v", one.ID, one)
	}
	assert.Equal(t, "009 005 004 007 002 013 014 015 016", strings.Join(open, " "))
	assert.Equal(t, 0, r.OpenMore)
	assert.Zero(t, r.Runs, "runs without a run: %+v", r.Runs)
	assert.Equal(t, 1, len(r.Activity))
	assert.Equal(t, n(8), r.Activity[0].ID)
	assert.False(t, r.Activity[0].HasLog, "%+v", r.Activity)
	assert.NotEqual(t, "", r.Activity[0].SpecModified)
	assert.True(t, r.Usage != nil, "used without an agent: %+v, %+v, %q", r.Usage, r.Today, r.Limit)
	assert.Equal(t, 0, r.Usage.Agents, "used without an agent")
	assert.True(t, r.Today == nil, "used without an agent: %+v, %+v, %q", r.Usage, r.Today, r.Limit)
	assert.Equal(t, "", r.Limit, "used without an agent")
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
		assert.Equal(t, want, r.brief())
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
		assert.Equal(t, want, urgency(g, all[i], g.Blocked(all[i].ID)), "%s", all[i].Status)
	}
}

// TestBoard puts a spec in every state into its column, with what a person should know about it.
func TestBoard(t *testing.T) {
	t.Parallel()
	r, err := Board(t.Context(), board(t), BoardInput{})
	assert.NoError(t, err)
	assert.Equal(t, 17, r.Total)
	columns := map[Column][]Row{}
	notes := map[string]string{}
	for _, c := range r.Cards {
		columns[c.Column] = append(columns[c.Column], c.Row)
		notes[c.ID] = c.Note
	}
	for column, want := range map[Column]string{
		ColumnPending: "002 010 014 015 016", ColumnReady: "001 010.1", ColumnRunning: "008", ColumnNeedsYou: "004 005 007 009 013", ColumnCompleted: "003 006 010.2 012",
	} {
		assert.Equal(t, want, ids(columns[column]), "%s", column)
	}
	for id, want := range map[string]string{
		n(2): "waits for " + n(1), n(4): "it broke", n(5): "drifted: a", n(13): "waits for approval", n(12): "nothing to verify", n(1): "", n(14): "waits for " + n(99),
	} {
		assert.Equal(t, want, notes[id], "%s", id)
	}
	if !strings.Contains(notes[n(9)], n(9)+".md:2") {
		t.Errorf("an unreadable one: %q", notes[n(9)])
	}
}

// TestColumnOf decides for runs, questions and retries, which need a process.
func TestColumnOf(t *testing.T) {
	t.Parallel()
	no := false
	for name, c := range map[string]struct {
		row  Row
		hold spec.Hold
		want Column
	}{
		"runs":                  {Row{Status: "in_progress", Run: advice.Running}, spec.Hold{}, ColumnRunning},
		"is quiet":              {Row{Status: "in_progress", Run: advice.Waiting}, spec.Hold{}, ColumnRunning},
		"its process died":      {Row{Status: "in_progress", Run: advice.Interrupted}, spec.Hold{}, ColumnNeedsYou},
		"asks":                  {Row{Status: "in_progress", Run: advice.Running, NeedsInput: 1}, spec.Hold{}, ColumnNeedsYou},
		"asked and failed":      {Row{Status: "failed", NeedsInput: 1}, spec.Hold{}, ColumnNeedsYou},
		"retries later":         {Row{Status: "paused", RetryAt: "2026-01-02T00:00:00Z"}, spec.Hold{}, ColumnPending},
		"not landed":            {Row{Status: "completed", Landed: &no}, spec.Hold{}, ColumnNeedsYou},
		"rejected":              {Row{Status: "pending", Ready: true}, spec.Hold{Kind: spec.HeldByRejection}, ColumnNeedsYou},
		"completed in the past": {Row{Status: "completed"}, spec.Hold{}, ColumnCompleted},
		"an unknown status":     {Row{Status: "odd"}, spec.Hold{}, ColumnNeedsYou},
	} {
		got := columnOf(c.row, c.hold)
		assert.Equal(t, c.want, got, "%s", name)
		assert.SliceContains(t, Columns(), got, "%s", name)
	}
}
