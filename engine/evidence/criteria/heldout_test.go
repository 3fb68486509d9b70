package criteria_test

import (
	"encoding/json"
	"testing"

	"chant/engine/evidence/criteria"

	"github.com/alecthomas/assert/v2"
)

// TestMask: nothing that a person has written is in what is recorded, but what follows tell.
func TestMask(t *testing.T) {
	t.Parallel()
	got := criteria.Mask([]criteria.Verdict{
		{ID: "held-out-1", Number: 1, Text: "SECRET", Source: criteria.FromHeldOut, How: criteria.ByRunning, Tell: "look at February", Why: "`SECRET` exited with 1", Evidence: []criteria.Evidence{{Command: "SECRET", Tail: "SECRET"}}},
		{ID: "held-out-2", Number: 2, Text: "SECRET", Source: criteria.FromHeldOut, How: criteria.ByRunning, Holds: true, Proof: criteria.FailToPass, Line: 7},
	}, 3)
	text, err := json.Marshal(got)
	assert.NoError(t, err)
	assert.Equal(t, `[{"id":"held-out-1","number":4,"text":"held-out criterion 1","source":"held-out","how":"ran","holds":false,"tell":"look at February","why":"a held-out criterion failed: look at February"},`+
		`{"id":"held-out-2","number":5,"text":"held-out criterion 2","source":"held-out","how":"ran","holds":true,"proof":"fail_to_pass"}]`, string(text))
}
