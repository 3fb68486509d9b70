package cmd

import (
	"chant/engine/work"

	"github.com/spf13/cobra"
)

// addContinue gives `chant work` the flag that goes on and never begins anew.
func addContinue(c *cobra.Command, in *work.WorkInput) {
	c.Flags().BoolVar(&in.Continue, "continue", false, "only go on with a run that was paused or interrupted")
}
