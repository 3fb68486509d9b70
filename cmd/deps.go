package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/cmd/console/screen"
	"chant/engine/view"

	"github.com/spf13/cobra"
)

func newDeps(a *console.App) *cobra.Command {
	var in view.DepsInput
	c := &cobra.Command{
		Use:     "deps ID",
		Short:   "Show what blocks a spec, and what depends on it",
		Example: "chant deps 001\nchant deps 001 --json",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			in.Limit = a.AllInText(in.Limit)
			on := a.Canvas()
			return console.Do(a, c, view.Deps, in, func(w io.Writer, r view.DepsResult) { renderDeps(w, r, on) })
		},
	}
	c.Flags().VarP(console.AtLeast(0, &in.Limit), "limit", "n", "at most this many of each kind (default: all, with --json 100)")
	return c
}

func renderDeps(w io.Writer, r view.DepsResult, on console.Canvas) {
	fmt.Fprintln(w, on.Paint(screen.Dim, r.ID))
	for _, group := range []struct {
		word string
		list []view.Neighbour
	}{{"depends on", r.DependsOn}, {"dependent", r.Dependents}, {"member", r.Members}} {
		for _, n := range group.list {
			line := fmt.Sprintf("  %-10s %s (%s) %s", group.word, on.Paint(screen.Dim, n.ID), on.Paint(screen.StatusStyle(n.Status), n.Status), n.Title)
			if on.Styled {
				line = on.Fit(line)
			}
			fmt.Fprintln(w, line)
		}
	}
	for _, cut := range []struct {
		word         string
		shown, total int
	}{{"depends on", len(r.DependsOn), r.DependsOnTotal}, {"dependent", len(r.Dependents), r.DependentsTotal}, {"member", len(r.Members), r.MembersTotal}} {
		if cut.shown < cut.total {
			fmt.Fprintf(w, "  %-10s %d of %d\n", cut.word, cut.shown, cut.total)
		}
	}
	for _, b := range r.Waits {
		fmt.Fprintf(w, "  %-10s %s\n", "waits for", b.Reason(r.ID))
	}
	if len(r.Cycle) > 0 {
		fmt.Fprintf(w, "  %-10s %s\n", "cycle", strings.Join(r.Cycle, " -> "))
	}
}
