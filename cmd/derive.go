package cmd

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"chant/cmd/console"
	"chant/engine/author"

	"github.com/spf13/cobra"
)

func newDerive(a *console.App) *cobra.Command {
	var in author.DeriveInput
	c := &cobra.Command{
		Use:   "derive [ID]",
		Short: "Fill in front-matter keys from branch, path, environment or git",
		Long: `Fill in front-matter keys from branch, path, environment or git.

enterprise.derived in .chant/config.md defines them. A key that a spec already has is
never changed.`,
		Example: "chant derive 001\nchant derive --all --dry-run",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				in.ID = args[0]
			}
			return console.Do(a, c, author.Derive, in, func(w io.Writer, r author.DeriveResult) { renderDerive(w, a.Err, r) })
		},
	}
	f := c.Flags()
	f.BoolVar(&in.All, "all", false, "all active specs")
	f.BoolVar(&in.DryRun, "dry-run", false, "print what would be written, and write nothing")
	return c
}

func renderDerive(w, warnings io.Writer, r author.DeriveResult) {
	for _, s := range r.Specs {
		for _, key := range slices.Sorted(maps.Keys(s.Fields)) {
			fmt.Fprintf(w, "%s  %s: %s\n", s.ID, key, s.Fields[key])
		}
	}
	if len(r.Specs) == 0 {
		fmt.Fprintln(w, "Nothing to derive")
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(warnings, "warning: %s\n", text)
	}
}
