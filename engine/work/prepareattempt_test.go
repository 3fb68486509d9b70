package work

import (
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// graphOf writes specs named by number into a project and reads their graph.
func graphOf(t *testing.T, specs map[string]string) (*engine.Project, *spec.Graph) {
	t.Helper()
	p, dir := enginetest.Project(t)
	for name, text := range specs {
		enginetest.Write(t, dir, ".chant/specs/"+name+".md", text)
	}
	_, g, err := engine.Graph(t.Context(), p)
	assert.NoError(t, err)
	return p, g
}

func num(n string) string { return "2026-01-02-" + n + "-abc" }

func specText(front string) string { return "---\n" + front + "---\n# A\n" }

// TestMayStart checks the refusals in the order in which a person would fix them: drivers, status, format, approval and
// dependencies. Each names one next step.
func TestMayStart(t *testing.T) {
	t.Parallel()
	waits := "approval: {required: true, status: pending}\n"
	p, g := graphOf(t, map[string]string{
		num("001"):        specText("status: pending\n"),
		num("002"):        specText("status: completed\n"),
		num("003"):        specText("status: cancelled\n"),
		num("004"):        specText("status: failed\n"),
		num("005"):        specText("status: in_progress\n"),
		num("006"):        specText("status: pending\n" + waits),
		num("007"):        specText("status: pending\ndepends_on: [" + num("004") + "]\n"),
		num("008"):        specText("status: pending\ndepends_on: [" + num("999") + "]\n"),
		num("009"):        specText("status: pending\npriority: soon\n"),
		num("010"):        specText("type: driver\nstatus: pending\n"),
		num("010") + ".1": specText("status: pending\n"),
		num("011"):        specText("type: driver\nstatus: pending\n"),
		num("011") + ".1": specText("status: completed\n"),
		num("012"):        specText("type: driver\nstatus: pending\n" + waits),
		num("012") + ".1": specText("status: pending\n"),
		num("013"):        specText("status: pending\napproval: {required: true, status: rejected, by: Ada, at: 2026-01-02T10:00:00Z}\n"),
		num("014"):        specText("status: pending\ndepends_on: [" + num("015") + "]\n"),
		num("015"):        specText("status: pending\ndepends_on: [" + num("014") + "]\n"),
		num("016"):        specText("status: pending\ndepends_on: [" + num("001") + ", " + num("004") + "]\n"),
		num("017"):        specText("status: paused\n"),
		num("018"):        specText("status: needs_attention\n"),
	})
	deps, both := WorkInput{SkipDeps: true}, WorkInput{SkipDeps: true, SkipApproval: true}
	for name, tc := range map[string]struct {
		id   string
		in   WorkInput
		want []string // words of the failure, none where it may start
	}{
		"pending":                       {num("001"), WorkInput{}, nil},
		"failed":                        {num("004"), WorkInput{}, nil},
		"paused":                        {num("017"), WorkInput{}, nil},
		"needs attention":               {num("018"), WorkInput{}, nil},
		"completed":                     {num("002"), WorkInput{}, []string{"state", "cannot start a spec that is completed"}},
		"completed, replayed":           {num("002"), WorkInput{Replay: true}, nil},
		"cancelled":                     {num("003"), WorkInput{}, []string{"state", "cannot start a spec that is cancelled", "allowed: reset"}},
		"worked by hand":                {num("005"), WorkInput{}, []string{"state", "cannot start a spec that is in_progress"}},
		"waits for approval":            {num("006"), WorkInput{}, []string{"blocked", "chant approve " + num("006"), "waits for approval"}},
		"waits for approval, deps":      {num("006"), deps, []string{"blocked", "waits for approval"}},
		"waits for approval, waived":    {num("006"), WorkInput{SkipApproval: true}, nil},
		"rejected":                      {num("013"), WorkInput{}, []string{"blocked", "chant edit " + num("013"), "was rejected"}},
		"rejected, waived":              {num("013"), both, []string{"blocked", "was rejected"}},
		"waits for a failed one":        {num("007"), WorkInput{}, []string{"blocked", "chant diagnose " + num("004"), num("007") + `" waits for ` + num("004") + " (failed)"}},
		"waits, dependencies waived":    {num("007"), deps, nil},
		"waits, approval waived":        {num("007"), WorkInput{SkipApproval: true}, []string{"blocked"}},
		"waits for two":                 {num("016"), WorkInput{}, []string{"blocked", "chant work " + num("001"), num("001") + " (pending), " + num("004") + " (failed)"}},
		"waits for an unknown one":      {num("008"), WorkInput{}, []string{"invalid", "chant edit " + num("008"), num("008") + ".md:3", num("999")}},
		"unknown dependency, waived":    {num("008"), deps, nil},
		"a value of the wrong format":   {num("009"), WorkInput{}, []string{"invalid", "chant edit " + num("009"), num("009") + ".md:3", "soon"}},
		"the wrong format, waived":      {num("009"), both, []string{"invalid"}},
		"a cycle":                       {num("014"), WorkInput{}, []string{"invalid", "chant edit " + num("014"), "waits for itself: " + num("014") + " -> " + num("015")}},
		"a cycle, waived":               {num("014"), deps, nil},
		"a driver":                      {num("010"), WorkInput{}, []string{"state", "chant work " + num("010") + ".1", "only holds members"}},
		"a driver, all waived":          {num("010"), both, []string{"state", "only holds members"}},
		"a driver with nothing ready":   {num("011"), WorkInput{}, []string{"state", "chant list", "none of them is ready"}},
		"a member":                      {num("010") + ".1", WorkInput{}, nil},
		"a member of a held driver":     {num("012") + ".1", WorkInput{}, []string{"blocked", "chant approve " + num("012"), `is a part of "` + num("012") + `", which waits for approval`}},
		"a member of a waived driver":   {num("012") + ".1", WorkInput{SkipApproval: true}, nil},
		"a member, dependencies waived": {num("012") + ".1", deps, []string{"blocked"}},
	} {
		got := enginetest.Refusal(MayStart(p, tc.in, g, textOf(t, p, g, tc.id)))
		assert.Equal(t, tc.want == nil, got == "", "%s", name)
		for _, word := range tc.want {
			assert.Contains(t, got, word, "%s", name)
		}
	}
}

// textOf returns a spec of a graph with its document.
func textOf(t *testing.T, p *engine.Project, g *spec.Graph, id string) *spec.File {
	t.Helper()
	s, err := engine.WithText(t.Context(), p, g.Spec(id))
	assert.NoError(t, err)
	return s
}

// TestMayStart_unlanded: a completed spec that has not landed is to be merged, not started again; a spec that a killed
// process has left in progress on a branch may start.
func TestMayStart_unlanded(t *testing.T) {
	t.Parallel()
	p, g := graphOf(t, map[string]string{num("001"): specText("status: completed\n"), num("002"): specText("status: in_progress\n")})
	done, crashed := textOf(t, p, g, num("001")), textOf(t, p, g, num("002"))
	done.Landed, done.Branch = false, "chant/"+done.ID
	crashed.Branch = "chant/" + crashed.ID
	if got, want := enginetest.Refusal(MayStart(p, WorkInput{}, g, done)), `state | chant merge `+done.ID+` | spec "`+done.ID+`" is completed but has not landed`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	assert.NoError(t, MayStart(p, WorkInput{}, g, crashed))
}

// TestCheckVerifiable refuses a spec with nothing to verify, and only warns where the settings let it land.
func TestCheckVerifiable(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		body    string
		require bool
		refused bool
		warned  bool
	}{
		"a command":            {"- [ ] it is there `$ test -f x`\n", true, false, false},
		"a box alone":          {"- [ ] it is there\n", true, false, false},
		"nothing":              {"", false, false, true},
		"nothing, as required": {"", true, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, g := graphOf(t, map[string]string{num("001"): specText("status: pending\n") + "\n## Acceptance Criteria\n\n" + tc.body})
			p.Config.Verify.Require = tc.require
			warned := false
			p.Progress = func(engine.Event) { warned = true }
			assert.Equal(t, tc.refused, checkVerifiable(p, &textOf(t, p, g, num("001")).Spec) != nil)
			assert.Equal(t, tc.warned, warned)
		})
	}
}

// TestWithEarlierFlags: what was waived for a run stays waived; its other flags apply while it is taken up again, but
// not once it has failed or needs attention.
func TestWithEarlierFlags(t *testing.T) {
	t.Parallel()
	asked := journal.Job{SkipApproval: true, SkipDeps: true, NoMerge: true, KeepTree: true, Prompt: "tdd", Timeout: "5m"}
	all := WorkInput{SkipApproval: true, SkipDeps: true, Options: Options{NoMerge: true, KeepWorktree: true, Prompt: "tdd", Timeout: "5m"}}
	waived := WorkInput{SkipApproval: true, SkipDeps: true}
	for name, tc := range map[string]struct {
		status spec.Status
		branch string
		last   *journal.Attempt
		in     WorkInput
		want   WorkInput
	}{
		"no run before":      {spec.Pending, "", nil, WorkInput{}, WorkInput{}},
		"dropped":            {spec.Pending, "chant/001", &journal.Attempt{Gone: true, Job: asked, Taken: asked}, WorkInput{}, WorkInput{}},
		"without its branch": {spec.Pending, "", &journal.Attempt{Job: asked, Taken: asked}, WorkInput{}, WorkInput{}},
		"paused":             {spec.Paused, "chant/001", &journal.Attempt{Job: asked, Taken: asked}, WorkInput{}, all},
		"crashed":            {spec.InProgress, "chant/001", &journal.Attempt{Job: asked, Taken: asked}, WorkInput{}, all},
		"failed":             {spec.Failed, "chant/001", &journal.Attempt{Job: asked, Taken: asked}, WorkInput{}, waived},
		"needs attention":    {spec.NeedsAttention, "chant/001", &journal.Attempt{Job: asked, Taken: asked}, WorkInput{}, waived},
		"taken up otherwise": {spec.Paused, "chant/001", &journal.Attempt{Job: asked}, WorkInput{}, waived},
		"asked otherwise now": {spec.Paused, "chant/001", &journal.Attempt{Job: asked, Taken: asked}, WorkInput{Options: Options{Prompt: "plain", Timeout: "1h"}},
			WorkInput{SkipApproval: true, SkipDeps: true, Options: Options{NoMerge: true, KeepWorktree: true, Prompt: "plain", Timeout: "1h"}}},
		"nothing was asked": {spec.Paused, "chant/001", &journal.Attempt{}, all, all},
	} {
		h := &journal.History{}
		if tc.last != nil {
			h.Attempts = []*journal.Attempt{tc.last}
		}
		assert.Equal(t, tc.want, tc.in.withEarlierFlags(&spec.Spec{ID: "001", Status: tc.status, Branch: tc.branch}, h), "%s", name)
	}
}
