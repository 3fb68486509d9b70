package runs

import (
	"context"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/work"

	"github.com/spf13/cobra"
)

// NewFinalize returns the command "chant finalize".
func NewFinalize(a *console.App) *cobra.Command {
	var in work.FinalizeInput
	c := &cobra.Command{
		Use:   "finalize ID",
		Short: "Check the criteria of finished work and mark the spec completed",
		Long: `Check the criteria of finished work and mark the spec completed.

A spec that does not pass is left unchanged, and the open criteria are reported. Inside
the spec's own run nothing is written: chant completes the spec when the agent's turn
has ended.`,
		Example: "chant finalize 001\nchant finalize 001 --accept-changes",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			p, err := a.Open()
			if err != nil {
				return err
			}
			return runWork(a, c, p, func(ctx context.Context, p *engine.Project) (work.WorkResult, error) {
				return work.Finalize(ctx, p, in)
			})
		},
	}
	c.Flags().BoolVar(&in.AcceptChanges, "accept-changes", false, "accept changes of criteria, other specs or settings on the run's branch")
	return c
}
