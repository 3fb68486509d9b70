package cmd

import (
	"chant/cmd/console"
	"chant/engine/author/review"

	"github.com/spf13/cobra"
)

func newReject(a *console.App) *cobra.Command {
	var in review.RejectInput
	c := &cobra.Command{
		Use:   "reject ID --reason TEXT",
		Short: "Reject a spec, or refuse the completed work on its branch",
		Long: `Reject a spec, or the work on its branch once it is completed.

A rejected spec neither starts nor lands until a person approves it. The action manual
does nothing else; dependency adds a spec that must fix it first; group makes it a driver
with a member for each criterion. The default is approval.rejection_action in
.chant/config.md.`,
		Example: "chant reject 001 --reason 'The format is missing'\nchant reject 001 --reason 'Too big' --action group",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, review.Reject, in, renderRuling("Rejected"))
		},
	}
	f := c.Flags()
	f.StringVar(&in.Reason, "reason", "", "the reason, for those who will fix it")
	f.StringVar(&in.By, "by", "", "who rejects: the name or email address of a committer of this repository (default: you, from git's settings)")
	f.StringVar(&in.Action, "action", "", "one of manual, dependency, group (default: the project's, manual)")
	return c
}
