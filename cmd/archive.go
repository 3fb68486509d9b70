package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/author"

	"github.com/spf13/cobra"
)

func newArchive(a *console.App) *cobra.Command {
	var in author.ArchiveInput
	return &cobra.Command{
		Use:     "archive ID",
		Short:   "Move a finished spec to the archive, a driver with its members",
		Example: "chant archive 001",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, author.Archive, in, func(w io.Writer, r author.ArchiveResult) {
				for _, m := range r.Moved {
					fmt.Fprintf(w, "Archived %s -> %s\n", m.ID, m.Path)
				}
			})
		},
	}
}
