package runs

import (
	"chant/cmd/console"
	"chant/engine/work"

	"github.com/spf13/cobra"
)

// NewCancel returns the command "chant cancel".
func NewCancel(a *console.App) *cobra.Command {
	var in work.CancelInput
	return &cobra.Command{
		Use:     "cancel ID",
		Short:   "Cancel a spec that is not wanted any more",
		Example: "chant cancel 001",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, work.Cancel, in, renderState("Cancelled"))
		},
	}
}
