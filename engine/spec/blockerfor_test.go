package spec

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestBlocker_For: each reads well behind the words "waits for", which no reason repeats.
func TestBlocker_For(t *testing.T) {
	t.Parallel()
	held := &Spec{ID: "own", Fields: Fields{Approval: &Approval{Required: true}}}
	for want, b := range map[string]Blocker{
		"other (pending)":             {ID: "other", Why: "pending"},
		"approval":                    {ID: "own", Why: held.ApprovalBlock().String(), Hold: held.ApprovalBlock()},
		"own (cycle own -> own)":      {ID: "own", Why: "cycle own -> own", Cycle: true},
		"a decision: it was rejected": {ID: "own", Why: "was rejected", Hold: Hold{Kind: HeldByRejection}},
		"driver (waits for approval)": {ID: "driver", Why: "waits for approval", Hold: Hold{Kind: HeldForApproval}},
	} {
		assert.Equal(t, want, b.Reason("own"))
	}
}
