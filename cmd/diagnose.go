package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/view"

	"github.com/spf13/cobra"
)

func newDiagnose(a *console.App) *cobra.Command {
	var in view.DiagnoseInput
	return &cobra.Command{
		Use:     "diagnose ID",
		Short:   "Explain why a spec waits or has failed, and what to do next",
		Example: "chant diagnose 001",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, view.Diagnose, in, renderDiagnose)
		},
	}
}

func renderDiagnose(w io.Writer, r view.DiagnoseResult) {
	fmt.Fprintf(w, "%s is %s (%s)\n", r.SpecID, r.Status, r.Location)
	for _, p := range r.Checks {
		mark := "ok  "
		if !p.Passed {
			mark = "look"
		}
		fmt.Fprintf(w, "%s  %-9s %s\n", mark, p.Name, p.Details)
	}
	fmt.Fprintf(w, "%s\nnext: %s\n", r.Diagnosis, r.Suggestion)
	renderFailed(w, r.Failed)
}

// renderFailed prints the end of what failed, below everything else.
func renderFailed(w io.Writer, failed []view.FailedOutput) {
	for _, f := range failed {
		fmt.Fprintf(w, "\nlast lines of %s:\n", f.Of)
		for _, line := range f.Lines {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
}
