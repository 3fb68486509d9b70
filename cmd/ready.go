package cmd

import (
	"io"

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
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			on := a.Canvas()
			in.Details = a.JSON
			return console.Do(a, c, view.Ready, in, func(w io.Writer, r view.ListResult) { renderList(w, r, on) })
		},
	}
	console.PageFlags(c, &in.Limit, &in.Cursor, "specs, 0 for all")
	return c
}
