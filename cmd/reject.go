package cmd

import (
	"chant/cmd/console"
	"chant/engine/review"

	"github.com/spf13/cobra"
)

func newReject(a *console.App) *cobra.Command {
	var in review.RejectInput
	c := &cobra.Command{
		Use:   "reject ID --reason TEXT",
		Short: "Reject a spec, or the work on its branch once it is completed",
		Long: `Reject a spec, or the work on its branch once it is completed.

Nothing of a rejected spec is worked or lands until somebody approves it. The action
manual leaves it to people; dependency makes a spec that mends it first; group makes it
a driver with a member for each criterion. approval.rejection_action in .chant/config.md
is the default.`,
		Example: "chant reject 001 --reason 'The format is missing'\nchant reject 001 --reason 'Too big' --action group",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, review.Reject, in, renderRuling("Rejected"))
		},
	}
	f := c.Flags()
	f.StringVar(&in.Reason, "reason", "", "why, for whoever mends it")
	f.StringVar(&in.By, "by", "", "who rejects, by name or mail, of those who have written here (default: you, as git knows you)")
	f.StringVar(&in.Action, "action", "", "one of manual, dependency, group (default: the project's, manual)")
	return c
}
