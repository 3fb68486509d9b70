package cmd

import (
	"fmt"
	"io"

	"chant/engine"

	"github.com/spf13/cobra"
)

func newArchive(a *app) *cobra.Command {
	var in engine.ArchiveInput
	return &cobra.Command{
		Use:     "archive ID",
		Short:   "Put a finished spec away, a driver with its members",
		Example: "chant archive 001",
		Args:    oneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return do(a, c, (*engine.Engine).Archive, in, func(w io.Writer, r engine.ArchiveResult) {
				for _, m := range r.Moved {
					fmt.Fprintf(w, "Archived %s -> %s\n", m.ID, m.Path)
				}
			})
		},
	}
}
