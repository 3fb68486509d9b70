package verify

import (
	"testing"

	"chant/engine/code/weakened"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestWeakenedWork: findings that need a decision count against a completion without one, and so does evidence that differs.
func TestWeakenedWork(t *testing.T) {
	t.Parallel()
	skipped := criteria.Weakened{Kind: criteria.TestSkipped, File: "a_test.go", Line: 4, After: "t.Skip()"}
	changed := criteria.Weakened{Kind: criteria.CIChanged, File: "ci.yml", Line: 1, Before: "a"}
	const place = "a_test.go:4 test_skipped: nothing -> t.Skip()"
	for name, tc := range map[string]struct {
		set        spec.Weakened
		accepted   []string
		found      []criteria.Weakened // by the commits
		evidence   []criteria.Weakened
		unaccepted []string
		unlike     []string
	}{
		"nothing":                        {},
		"reported":                       {spec.WeakenedReport, nil, []criteria.Weakened{skipped, changed}, []criteria.Weakened{skipped, changed}, nil, nil},
		"accepted":                       {"", []string{place}, []criteria.Weakened{skipped, changed}, []criteria.Weakened{skipped, changed}, nil, nil},
		"accepted, with a secret hidden": {"", []string{"a_test.go:4 test_skipped: nothing -> [hidden]"}, []criteria.Weakened{skipped}, []criteria.Weakened{skipped}, nil, nil},
		"another place accepted": {"", []string{"a_test.go:40 test_skipped: nothing -> t.Skip()"}, []criteria.Weakened{skipped}, []criteria.Weakened{skipped},
			[]string{"its work weakens a check, and no person has accepted that: " + place}, nil},
		"refused": {spec.WeakenedRefuse, []string{place}, []criteria.Weakened{skipped}, []criteria.Weakened{skipped},
			[]string{"its work weakens a check, which verify.weakened refuses: " + place}, nil},
		"by a version that did not look": {spec.WeakenedReport, nil, []criteria.Weakened{skipped}, nil, nil, nil},
		"left out": {"", []string{place}, []criteria.Weakened{skipped}, nil, nil,
			[]string{"the evidence of commit 0123456 leaves out a check that the work weakens: " + place}},
		"one of two left out": {spec.WeakenedReport, nil, []criteria.Weakened{skipped, changed}, []criteria.Weakened{skipped}, nil,
			[]string{"the evidence of commit 0123456 leaves out a check that the work weakens: ci.yml:1 ci_changed: a -> nothing"}},
		"invented": {"", nil, nil, []criteria.Weakened{skipped}, nil,
			[]string{"the evidence of commit 0123456 names a weakened check that the work does not have: " + place}},
	} {
		work := weakenedWork{found: weakened.Found{Findings: tc.found}, set: tc.set, accepted: tc.accepted}
		assert.Equal(t, tc.unaccepted, work.unaccepted(), "%s", name)
		assert.Equal(t, tc.unlike, work.unlike(&RecordedEvidence{Commit: "0123456789", Weakened: tc.evidence}), "%s", name)
	}
}
