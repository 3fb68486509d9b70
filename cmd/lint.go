package cmd

import (
	"fmt"
	"io"

	"chant/engine"

	"github.com/spf13/cobra"
)

func newLint(a *app) *cobra.Command {
	var in engine.LintInput
	c := &cobra.Command{
		Use:     "lint [ID]",
		Short:   "Check specs and settings",
		Long:    "Check one spec, or all of them and the settings. Exits with 4 when something is wrong.",
		Example: "chant lint\nchant lint 001\nchant lint --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				in.ID = args[0]
			}
			in.Limit = a.allInText(in.Limit)
			e, err := a.open()
			if err != nil {
				return err
			}
			result, err := e.Lint(c.Context(), in)
			if err != nil {
				return err
			}
			if err := show(a, result, renderLint); err != nil || result.Failed == 0 {
				return err
			}
			return &engine.Error{Code: engine.Invalid, Message: fmt.Sprintf("%d of %d specs have errors", result.Failed, result.Total), Hint: "chant edit ID"}
		},
	}
	c.Flags().IntVar(&in.Limit, "limit", 0, "at most this many findings (default: all, with --json 100)")
	return c
}

func renderLint(w io.Writer, r engine.LintResult) {
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s:%d: %s: %s (%s)\n", f.Path, f.Line, f.Severity, f.Message, f.Rule)
	}
	if len(r.Findings) < r.Found {
		fmt.Fprintf(w, "%d of %d findings\n", len(r.Findings), r.Found)
	}
	fmt.Fprintf(w, "%d specs: %d passed, %d with warnings, %d with errors\n", r.Total, r.Passed, r.Warned, r.Failed)
}
