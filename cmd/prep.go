package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/view"

	"github.com/spf13/cobra"
)

func newPrep(a *console.App) *cobra.Command {
	var in view.PrepInput
	c := &cobra.Command{
		Use:     "prep ID",
		Short:   "Print the text of a spec as it is given to an agent",
		Example: "chant prep 001\nchant prep 001 --clean",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, view.Prep, in, func(w io.Writer, r view.PrepResult) { fmt.Fprint(w, r.Text) })
		},
	}
	c.Flags().BoolVar(&in.Clean, "clean", false, "leave out sections that earlier agents wrote")
	return c
}
