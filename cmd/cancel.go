package cmd

import (
	"chant/engine/work"

	"github.com/spf13/cobra"
)

func newCancel(a *app) *cobra.Command {
	var in work.CancelInput
	return &cobra.Command{
		Use:     "cancel ID",
		Short:   "Cancel a spec; specs that depend on it no longer wait for it",
		Example: "chant cancel 001",
		Args:    oneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return do(a, c, work.Cancel, in, renderState("Cancelled"))
		},
	}
}
