package cmd

import (
	"context"

	"chant/engine"

	"github.com/spf13/cobra"
)

func newFinalize(a *app) *cobra.Command {
	var in engine.FinalizeInput
	c := &cobra.Command{
		Use:     "finalize ID",
		Short:   "Check the criteria of finished work and mark the spec completed",
		Example: "chant finalize 001\nchant finalize 001 --accept-changes",
		Args:    oneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return runWork(a, c, func(e *engine.Engine, ctx context.Context) (engine.WorkResult, error) { return e.Finalize(ctx, in) })
		},
	}
	c.Flags().BoolVar(&in.AcceptChanges, "accept-changes", false, "accept changed criteria, other specs or settings on the run's branch")
	return c
}
