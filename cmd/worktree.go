package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"

	"chant/engine"

	"github.com/spf13/cobra"
)

func newWorktree(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "worktree",
		Short:   "Look at the worktrees of runs",
		Example: "chant worktree status",
		Args:    cobra.NoArgs,
	}
	c.AddCommand(&cobra.Command{
		Use:     "status",
		Short:   "List the worktrees of runs, their specs and their holders",
		Example: "chant worktree status\nchant worktree status --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return do(a, c, (*engine.Engine).Worktrees, engine.WorktreeInput{}, renderWorktrees)
		},
	})
	return c
}

func renderWorktrees(w io.Writer, r engine.WorktreeResult) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range r.Worktrees {
		state := v.Status
		if v.Run != "" {
			state += " (" + v.Run + ")"
		}
		note := fmt.Sprintf("%d uncommitted", v.Uncommitted)
		if v.Problem != "" {
			note = v.Problem
		}
		if v.Holder != 0 {
			note += fmt.Sprintf(", process %d since %s", v.Holder, v.Since)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", v.SpecID, state, note, v.Path)
	}
	t.Flush()
}
