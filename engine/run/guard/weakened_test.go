package guard_test

import (
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// tests are what a project has before a run, and what an agent makes of it.
func tests() (before, after map[string]string) {
	before = map[string]string{
		"sum_test.go": "package sum\n\nfunc TestSum(t *testing.T) {\n\tassert.Equal(t, 3, Sum(1, 2))\n}\n", "codecov.yml": "coverage:\n  status:\n    target: 90\n",
	}
	after = done("sum_test.go", "package sum\n\nfunc TestSum(t *testing.T) {\n\tt.Skip(\"later\")\n\tassert.Equal(t, 3, Sum(1, 2))\n}\n", "codecov.yml", "coverage:\n  status:\n    target: 10\n")
	return before, after
}

const (
	skipped = "sum_test.go:4 test_skipped: nothing -> t.Skip(\"later\")"
	lowered = "codecov.yml:3 threshold_lowered: target: 90 -> target: 10"
)

// TestWeakened has an agent weaken a test and a threshold: what follows is what verify.weakened says.
func TestWeakened(t *testing.T) {
	t.Parallel()
	for set, want := range map[spec.Weakened]struct {
		asks  []string // nil if it lands
		found int      // in the evidence
	}{
		spec.WeakenedByKind: {[]string{skipped}, 2},
		spec.WeakenedAsk:    {[]string{lowered, skipped}, 2},
		spec.WeakenedRefuse: {[]string{lowered, skipped}, 2},
		spec.WeakenedReport: {nil, 2},
		spec.WeakenedOff:    {nil, 0},
	} {
		t.Run(string(set), func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			before, after := tests()
			enginetest.Commit(t, dir, before)
			r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) { s.Verify.Weakened = set })
			r.Agent(after)
			err := r.To(journal.Clean)
			assert.Equal(t, want.found, len(r.Judge.Report.Weakened), "%+v", r.Judge.Report.Weakened)
			if want.asks == nil {
				assert.NoError(t, err)
				return
			}
			r.Fails(err, spec.ReasonWeakened, want.asks...)
			assert.Equal(t, spec.NeedsAttention, r.Status())
		})
	}
}

// TestWeakened_accepted: what a person accepts lands and is named in the complete commit; where it is refused, it does not.
func TestWeakened_accepted(t *testing.T) {
	t.Parallel()
	for _, set := range []spec.Weakened{spec.WeakenedByKind, spec.WeakenedRefuse} {
		t.Run(string(set), func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			before, after := tests()
			enginetest.Commit(t, dir, before)
			r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) { s.Verify.Weakened = set })
			r.Agent(after)
			r.Fails(r.To(journal.Clean), spec.ReasonWeakened, skipped)
			r = runtest.Asked(r, true)
			r.Settings.Verify.Weakened = set
			err := r.Finish(t.Context())
			if set == spec.WeakenedRefuse {
				r.Fails(err, spec.ReasonWeakened, "verify.weakened is refuse", skipped)
				return
			}
			assert.NoError(t, err)
			assert.Contains(t, r.Git("log", "-1", "--format=%B", r.Job.Branch), "Chant-Accepted: "+skipped)
			assert.NoError(t, r.Lands())
		})
	}
}

// TestWeakened_landing: a branch that is complete is compared again when it lands, as by chant merge, by the settings of then.
func TestWeakened_landing(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	before, after := tests()
	enginetest.Commit(t, dir, before)
	r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) { s.Verify.Weakened = spec.WeakenedReport })
	r.Agent(after)
	assert.NoError(t, r.To(journal.Complete))
	r.Settings.Verify.Weakened = ""
	r.Fails(r.Lands(), spec.ReasonWeakened, skipped)
	assert.Equal(t, []criteria.Weakened{{Kind: criteria.ThresholdLowered, File: "codecov.yml", Line: 3, Before: "target: 90", After: "target: 10"},
		{Kind: criteria.TestSkipped, File: "sum_test.go", Line: 4, After: `t.Skip("later")`}}, r.Judge.Report.Weakened)
}

// TestWeakened_setup: what set-up commands of worktrees name is judged like what commands of criteria name.
func TestWeakened_setup(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{"setup.sh": "echo ready\n"})
	r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) { s.SetupCmd = []string{"sh setup.sh"} })
	r.Agent(done("setup.sh", "trap 'exit 0' EXIT\necho ready\n"))
	r.Fails(r.To(journal.Clean), spec.ReasonWeakened, "setup.sh:1 check_changed: nothing -> trap 'exit 0' EXIT")
}
