package cmd

import (
	"context"

	"chant/engine"

	"github.com/spf13/cobra"
)

func newMerge(a *app) *cobra.Command {
	var in engine.MergeInput
	c := &cobra.Command{
		Use:     "merge ID",
		Short:   "Land a spec that is completed on its branch",
		Example: "chant merge 001",
		Args:    oneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return runWork(a, c, func(e *engine.Engine, ctx context.Context) (engine.WorkResult, error) { return e.Merge(ctx, in) })
		},
	}
	c.Flags().BoolVar(&in.KeepWorktree, "keep-worktree", false, "leave worktree and branch in place")
	return c
}
