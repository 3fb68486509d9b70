package view

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestRow_Offers says in which states of a spec a person is offered what.
func TestRow_Offers(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for _, c := range []struct {
		row  Row
		want map[string]bool
	}{
		{Row{Status: "pending", Ready: true}, map[string]bool{"work": true, "approve": true, "reject": true, "merge": false, "pause": false, "reset": false}},
		{Row{Status: "pending", Blocked: true}, map[string]bool{"work": false, "approve": true}},
		{Row{Status: "in_progress", Run: "running"}, map[string]bool{"work": false, "approve": false, "reject": false, "pause": true, "merge": false}},
		{Row{Status: "in_progress", Run: "interrupted"}, map[string]bool{"work": true, "approve": false, "pause": false}},
		{Row{Status: "failed"}, map[string]bool{"work": true, "approve": false, "reject": true, "merge": false, "reset": true}},
		{Row{Status: "needs_attention", unapproved: true}, map[string]bool{"approve": true, "merge": false}},
		{Row{Status: "completed", Landed: &no}, map[string]bool{"work": false, "approve": true, "reject": true, "merge": true, "cancel": false}},
		{Row{Status: "completed", Landed: &yes}, map[string]bool{"approve": false, "reject": false, "merge": false, "reset": false}},
		{Row{Status: "cancelled"}, map[string]bool{"work": false, "approve": false, "reject": false, "reset": true}},
		{Row{Status: "pending", NeedsInput: 1}, map[string]bool{"answer": true, "verify": true}},
	} {
		for act, want := range c.want {
			assert.Equal(t, want, c.row.Offers(act), "%s of %+v: offered", act, c.row)
		}
	}
}
