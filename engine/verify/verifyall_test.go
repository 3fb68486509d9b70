package verify

import (
	"slices"
	"testing"

	"chant/engine/evidence/criteria"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// Each result is counted once; an unreadable spec counts as invalid only.
func TestVerifyAllResult_add(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		one  VerifyResult
		want VerifyAllResult
	}{
		"passed":             {VerifyResult{Verified: true, Status: criteria.Passed}, VerifyAllResult{Passed: 1}},
		"by its members":     {VerifyResult{Verified: true}, VerifyAllResult{Passed: 1}},
		"failed":             {VerifyResult{Status: criteria.Failed}, VerifyAllResult{Failed: 1}},
		"a box is open":      {VerifyResult{Status: criteria.Partial}, VerifyAllResult{Partial: 1}},
		"a member is open":   {VerifyResult{}, VerifyAllResult{Partial: 1}},
		"nothing to verify":  {VerifyResult{Status: criteria.Nothing}, VerifyAllResult{Nothing: 1}},
		"cannot be read":     {VerifyResult{Invalid: "line 3", Status: criteria.Failed}, VerifyAllResult{Invalid: 1}},
		"flagged as it fell": {VerifyResult{SpecID: "x", Status: criteria.Failed, Flagged: true}, VerifyAllResult{Failed: 1, Flagged: []string{"x"}}},
	} {
		var got VerifyAllResult
		got.add(c.one)
		c.want.Specs = []VerifyResult{c.one}
		assert.Equal(t, c.want.Passed, got.Passed, "%s", name)
		assert.Equal(t, c.want.Partial, got.Partial, "%s", name)
		assert.Equal(t, c.want.Failed, got.Failed, "%s", name)
		assert.Equal(t, c.want.Nothing, got.Nothing, "%s", name)
		assert.Equal(t, c.want.Invalid, got.Invalid, "%s", name)
		assert.Equal(t, c.want.Flagged, got.Flagged, "%s", name)
		assert.Equal(t, 1, len(got.Specs), "%s", name)
	}
}

// A push or a CI job is stopped by forged and failed specs, by unticked boxes, and by specs with nothing to verify if
// the settings require something.
func TestVerifyAllResult_broken(t *testing.T) {
	t.Parallel()
	some := CriteriaCount{Total: 1}
	for name, c := range map[string]struct {
		one  VerifyResult
		want bool
	}{
		"verified":                       {VerifyResult{Verified: true, Status: criteria.Passed, Criteria: some}, false},
		"failed":                         {VerifyResult{Status: criteria.Failed}, true},
		"forged":                         {VerifyResult{Forged: []string{"x"}}, true},
		"an open box":                    {VerifyResult{Status: criteria.Partial, Criteria: some}, true},
		"nothing to verify":              {VerifyResult{Status: criteria.Nothing}, false},
		"nothing to verify, required":    {VerifyResult{Status: criteria.Nothing, required: true}, true},
		"verified where it is required":  {VerifyResult{Verified: true, Status: criteria.Passed, Criteria: some, required: true}, false},
		"a driver with a member to do":   {VerifyResult{}, false},
		"cannot be read, lint says that": {VerifyResult{Invalid: "x"}, false},
	} {
		got := (&VerifyAllResult{Specs: []VerifyResult{{Verified: true}, c.one}}).Broken()
		assert.Equal(t, c.want, len(got) == 1, "%s: %+v", name, got)
		assert.True(t, len(got) <= 1, "%s: %+v", name, got)
	}
}

// Consecutive specs in the same commit share a worktree; a spec with a run's branch never does.
func TestByCommit(t *testing.T) {
	t.Parallel()
	at := func(id, branch, commit string) subject {
		return subject{s: &spec.File{Spec: spec.Spec{ID: id, Branch: branch}}, commit: commit}
	}
	for name, c := range map[string]struct {
		all  []subject
		want []int
	}{
		"none":             {nil, nil},
		"the same commit":  {[]subject{at("a", "", "1"), at("b", "", "1"), at("c", "", "1")}, []int{3}},
		"two commits":      {[]subject{at("a", "", "1"), at("b", "", "2")}, []int{1, 1}},
		"not neighbours":   {[]subject{at("a", "", "1"), at("b", "", "2"), at("c", "", "1")}, []int{1, 1, 1}},
		"a branch between": {[]subject{at("a", "", "1"), at("b", "chant/b", "1"), at("c", "", "1")}, []int{1, 1, 1}},
		"two branches":     {[]subject{at("a", "chant/a", "1"), at("b", "chant/b", "1")}, []int{1, 1}},
	} {
		var got []int
		order := []subject{}
		for _, group := range groupByCommit(c.all) {
			got = append(got, len(group))
			order = append(order, group...)
		}
		assert.Equal(t, c.want, got, "%s", name)
		assert.True(t, slices.EqualFunc(order, c.all, func(a, b subject) bool { return a.s == b.s }), "%s: %v, want %v", name, got, c.want)
	}
}

func TestAnyRuns(t *testing.T) {
	t.Parallel()
	claim := specOf(t, "2026-01-02-001-abc", "status: completed\n", "# A\n\n## Acceptance Criteria\n\n- [x] a claim\n")
	result := specOf(t, "2026-01-02-002-abc", "status: completed\n", "# A\n\n## Acceptance Criteria\n\n- [x] it holds `$ true`\n")
	project := spec.Checks{Commands: []spec.Command{{Run: "true"}}}
	for name, c := range map[string]struct {
		all  []subject
		want bool
	}{
		"only a box":               {[]subject{{s: claim}}, false},
		"a command":                {[]subject{{s: result}}, true},
		"a command of one of them": {[]subject{{s: claim}, {s: result}}, true},
		"the project's command":    {[]subject{{s: claim, checks: project}}, true},
	} {
		assert.Equal(t, c.want, anyRuns(c.all), "%s", name)
	}
}

func TestJudgeProvider_shell(t *testing.T) {
	t.Parallel()
	_, err := judgeProvider(nil, "shell")
	assert.Error(t, err, "a shell judges")
}

// TestVerifyAll_since leaves out and names what was completed before verify.since: by its time, else by the day of its id.
func TestVerifyAll_since(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	path := func(n int) string { return ".chant/specs/" + idOf(n) + ".md" }
	open := "# T\n\n## Acceptance Criteria\n\n- [ ] never ticked\n"
	h.commit("completed", map[string]string{
		path(1): file("status: completed\ncompleted_at: 2026-01-02T00:00:00Z\n", open),
		path(2): file("status: completed\n", open),
		path(3): file("status: completed\ncompleted_at: 2026-03-02T00:00:00Z\n", open),
	})
	for since, want := range map[spec.Moment][]string{"": nil, "2026-02-01": {idOf(1), idOf(2)}, "2026-03-02T00:00:01Z": {idOf(1), idOf(2), idOf(3)}} {
		p := *h.p
		settings := *h.p.Config
		settings.Verify.Since = since
		p.Config = &settings
		r, err := VerifyAll(t.Context(), &p, VerifyAllInput{All: true, NoWrite: true})
		assert.NoError(t, err)
		assert.Equal(t, want, r.Skipped, "since %q", since)
		assert.Equal(t, 3-len(want), len(r.Broken()), "since %q", since)
		assert.Equal(t, len(want) < 3, r.BrokenBefore(), "since %q", since)
		named, err := VerifyAll(t.Context(), &p, VerifyAllInput{IDs: []string{idOf(1)}, NoWrite: true})
		assert.NoError(t, err)
		assert.Equal(t, 1, len(named.Specs), "a spec that is named, since %q", since)
	}
}
