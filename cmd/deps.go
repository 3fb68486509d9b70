package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/engine"

	"github.com/spf13/cobra"
)

func newDeps(a *app) *cobra.Command {
	var in engine.DepsInput
	return &cobra.Command{
		Use:     "deps ID",
		Short:   "Show what a spec depends on and who depends on it",
		Example: "chant deps 001\nchant deps 001 --json",
		Args:    oneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return do(a, c, (*engine.Engine).Deps, in, renderDeps)
		},
	}
}

func renderDeps(w io.Writer, r engine.DepsResult) {
	fmt.Fprintln(w, r.ID)
	for _, group := range []struct {
		word string
		list []engine.Neighbour
	}{{"depends on", r.DependsOn}, {"dependent", r.Dependents}, {"member", r.Members}} {
		for _, n := range group.list {
			fmt.Fprintf(w, "  %-10s %s (%s) %s\n", group.word, n.ID, n.Status, n.Title)
		}
	}
	for _, b := range r.Waits {
		fmt.Fprintf(w, "  %-10s %s (%s)\n", "waits for", b.ID, b.Why)
	}
	if len(r.Cycle) > 0 {
		fmt.Fprintf(w, "  %-10s %s\n", "cycle", strings.Join(r.Cycle, " -> "))
	}
}
