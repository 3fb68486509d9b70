package criteria

import (
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestNeedsDecision: by default a finding waits for a person if it is in a test or in what a command of criteria reads.
func TestNeedsDecision(t *testing.T) {
	t.Parallel()
	commands := []string{"sh scripts/check.sh && make verify", "npm test"}
	for _, tc := range []struct {
		w    Weakened
		set  spec.Weakened
		want bool
	}{
		{Weakened{Kind: TestSkipped, File: "a_test.go"}, "", true},
		{Weakened{Kind: ExpectationChanged, File: "a_test.go"}, "", true},
		{Weakened{Kind: TestConfigChanged, File: "pytest.ini"}, "", true},
		{Weakened{Kind: CheckChanged, File: "want.txt"}, "", true},
		{Weakened{Kind: NotComparable, File: "a_test.py"}, "", true},
		{Weakened{Kind: CIChanged, File: ".github/workflows/ci.yml"}, "", false},
		{Weakened{Kind: ThresholdLowered, File: "codecov.yml"}, "", false},
		{Weakened{Kind: FailureIgnored, File: "other.sh"}, "", false},
		{Weakened{Kind: FailureIgnored, File: "scripts/check.sh"}, "", true},
		{Weakened{Kind: FailureIgnored, File: "Makefile"}, "", true},
		{Weakened{Kind: FailureIgnored, File: "web/package.json"}, "", true},
		{Weakened{Kind: TimeoutRaised, File: "a_test.go"}, "", false},
		{Weakened{Kind: CIChanged, File: "ci.yml"}, spec.WeakenedAsk, true},
		{Weakened{Kind: CIChanged, File: "ci.yml"}, spec.WeakenedRefuse, true},
		{Weakened{Kind: TestRemoved, File: "a_test.go"}, spec.WeakenedReport, false},
		{Weakened{Kind: TestRemoved, File: "a_test.go"}, spec.WeakenedOff, false},
	} {
		assert.Equal(t, tc.want, tc.w.NeedsDecision(tc.set, commands), "%s, %q", tc.w, tc.set)
	}
}
