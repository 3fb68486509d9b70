package cmd

import (
	"strings"

	"chant/cmd/console"
	"chant/engine/view"

	"github.com/spf13/cobra"
)

// selectionFlags adds the conditions of lists and searches.
func selectionFlags(c *cobra.Command, to *view.Selection) {
	f := c.Flags()
	f.StringVarP(&to.Type, "type", "t", "", "only this type")
	f.StringSliceVarP(&to.Labels, "label", "l", nil, "only specs with one of these labels")
	f.StringVar(&to.Assignee, "assignee", "", "only specs of this person")
	f.StringVar(&to.Priority, "priority", "", "only specs with this priority")
	f.Var(console.AtLeast(1, &to.Sprint), "sprint", "only specs of this sprint")
	f.StringVar(&to.Approval, "approval", "", "one of "+strings.Join(view.Approvals(), ", "))
	f.StringVar(&to.CreatedBy, "created-by", "", "only specs that authors with this in their name have made")
	f.StringVar(&to.Since, "since", "", "only specs that were changed from this time on")
	// The name that the Rust chant has.
	f.StringVar(&to.Since, "activity-since", "", "like --since")
	_ = f.MarkHidden("activity-since") // it exists
	f.StringVar(&to.Until, "until", "", "only specs that were last changed up to this time")
}
