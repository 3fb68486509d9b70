package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/setup"
	"chant/engine/spec/next"

	"github.com/spf13/cobra"
)

func newDeinit(a *console.App) *cobra.Command {
	var in setup.DeinitInput
	yes := false
	c := &cobra.Command{
		Use:   "deinit",
		Short: "Take chant out of a repository; specs and history stay",
		Long: `Remove what chant has put into the repository and on this machine: hooks, merge driver,
its part of the files of agents and CI, settings, local state and caches. Specs and
what people wrote in .chant stay, and so does the history. Work that has not landed
is never removed: land or reset it first. One commit has what changes in git.`,
		Example: "chant deinit --dry-run\nchant deinit --yes",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !in.DryRun && !yes {
				return &engine.Error{Code: engine.Usage, Message: "deinit needs --yes, or --dry-run to list what it would remove", Next: next.Deinit.On().Flag("dry-run")}
			}
			r, err := setup.Deinit(c.Context(), a.Dir, a.Options(a.Line), in)
			if err != nil {
				return err
			}
			return console.Show(a, r, renderDeinit)
		},
	}
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "print what would be removed, and remove nothing")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return c
}

func renderDeinit(w io.Writer, r setup.DeinitResult) {
	print := func(word string, names []string) {
		for _, name := range names {
			fmt.Fprintf(w, "%-8s %s\n", word, name)
		}
	}
	print("removed", r.Removed)
	print("changed", r.Changed)
	print("kept", r.Kept)
	print("left", r.Left)
	for _, name := range r.Uncommitted {
		fmt.Fprintf(w, "%s has changes of yours and is not committed\n", name)
	}
	switch {
	case r.DryRun:
		fmt.Fprintln(w, "This is what would be removed; nothing was.")
	case r.Commit != "":
		fmt.Fprintf(w, "Committed as %s.\n", r.Commit[:7])
	}
	if len(r.Left) > 0 {
		fmt.Fprintln(w, "Specs and what people wrote stay: git rm -r .chant removes them.")
	}
	fmt.Fprintln(w, "History stays: evidence in refs/notes/chant, rescued work below refs/chant, branches below chant/.")
}
