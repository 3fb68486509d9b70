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
	land := false
	c := &cobra.Command{
		Use:   "finalize ID",
		Short: "Check the criteria of finished work and mark the spec completed",
		Long: `Check the criteria of finished work and mark the spec completed.

A spec that does not pass is left unchanged, and the open criteria are reported. Inside
the spec's own run nothing is written: chant completes the spec when the agent's turn
has ended.`,
		Example: "chant finalize 001\nchant finalize 001 --merge\nchant finalize 001 --accept-changes",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			p, err := a.Open()
			if err != nil {
				return err
			}
			return runWork(a, c, p, func(ctx context.Context, p *engine.Project) (work.WorkResult, error) {
				result, err := work.Finalize(ctx, p, in)
				// Work that was done in the checkout is where it lands.
				if err != nil || !land || result.Landed {
					return result, err
				}
				return work.Merge(ctx, p, work.MergeInput{ID: in.ID})
			})
		},
	}
	c.Flags().BoolVar(&land, "merge", false, "then land it, as chant merge does")
	c.Flags().BoolVar(&in.AcceptChanges, "accept-changes", false, "accept weakened checks, and changes of criteria, other specs or settings, on the run's branch")
	return c
}
