package cmd

import (
	"chant/cmd/console"
	"chant/engine/view"

	"github.com/spf13/cobra"
)

func newReady(a *console.App) *cobra.Command {
	var in view.ReadyInput
	c := &cobra.Command{
		Use:     "ready",
		Short:   "List the ready specs, which can be worked now",
		Example: "chant ready\nchant ready --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, view.Ready, in, renderList)
		},
	}
	c.Flags().Var(console.AtLeast(0, &in.Limit), "limit", "at most this many, 0 for all")
	return c
}
