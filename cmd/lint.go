package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/lint"
	"chant/engine/linter"

	"github.com/spf13/cobra"
)

func newLint(a *app) *cobra.Command {
	var in linter.LintInput
	format := "text"
	c := &cobra.Command{
		Use:     "lint [ID...]",
		Short:   "Check specs and settings",
		Long:    "Check the named specs, or all of them and the settings, and report how well they can be worked. Exits with 4 when something is wrong; warnings do not. The format of a spec is documented by chant guide specs.",
		Example: "chant lint\nchant lint 001 --fix\nchant lint --format sarif > lint.sarif",
		RunE: func(c *cobra.Command, args []string) error {
			in.IDs = args
			if err := a.format("lint", format, "text", "json", "sarif"); err != nil {
				return err
			}
			in.Limit = a.allInText(in.Limit)
			p, err := a.open()
			if err != nil {
				return err
			}
			result, err := linter.Lint(c.Context(), p, in)
			if err != nil {
				return err
			}
			if format == "sarif" {
				err = writeSARIF(a.Out, result)
			} else if !in.Staged || len(result.Findings) > 0 || a.json {
				err = show(a, result, renderLint)
			}
			if err != nil {
				return err
			}
			return lintFailure(result)
		},
	}
	f := c.Flags()
	f.BoolVar(&in.Fix, "fix", false, "first mend what can be mended without a doubt, one commit a spec")
	f.BoolVar(&in.Staged, "staged", false, "check the specs that are staged, as they are staged (for hooks)")
	f.StringVar(&format, "format", format, "one of text, json, sarif")
	f.Var(atLeast(0, &in.Limit), "limit", "at most this many findings (default: all, as JSON 100)")
	c.MarkFlagsMutuallyExclusive("fix", "staged")
	return c
}

// lintFailure is how errors among the findings end the command.
func lintFailure(r linter.LintResult) error {
	i := slices.IndexFunc(r.Findings, func(f lint.Finding) bool { return f.Severity == lint.Error })
	switch {
	case i < 0:
		return nil
	case r.Failed == 0:
		return &engine.Error{Code: engine.Invalid, Message: "the settings have errors", Hint: "vi " + r.Findings[i].Path}
	}
	return &engine.Error{Code: engine.Invalid, Message: r.Errors(""), Hint: "chant edit " + r.Findings[i].ID}
}

func renderLint(w io.Writer, r linter.LintResult) {
	for _, f := range r.Fixed {
		if f.Left != "" {
			fmt.Fprintf(w, "%s: left alone: %s\n", f.ID, f.Left)
			continue
		}
		fmt.Fprintf(w, "%s: fixed: %s\n", f.ID, strings.Join(f.Did, "; "))
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s:%d: %s: %s (%s)\n", f.Path, f.Line, f.Severity, f.Message, f.Rule)
	}
	if len(r.Findings) < r.Found {
		fmt.Fprintf(w, "%d of %d findings\n", len(r.Findings), r.Found)
	}
	if len(r.Findings) > 0 {
		fmt.Fprintln(w, "chant guide specs documents the format of a spec")
	}
	for _, s := range r.Scores {
		fmt.Fprintf(w, "%-6s  %s  %s\n", s.Light, s.ID, scoreText(s))
	}
	fmt.Fprintf(w, "%s: %d passed, %d with warnings, %d with errors", plural(r.Total, "spec"), r.Passed, r.Warned, r.Failed)
	if r.Checked > 0 {
		fmt.Fprintf(w, "; to be worked: %d green, %d yellow, %d red", r.Green, r.Yellow, r.Red)
	}
	fmt.Fprintln(w)
}

// scoreText is the grades of a spec and what would better them.
func scoreText(s linter.SpecScore) string {
	text := fmt.Sprintf("complexity %s, confidence %s, criteria %s, splittability %s", s.Complexity, s.Confidence, s.Criteria, s.Splittability)
	if s.Isolation != "" {
		text += fmt.Sprintf(", isolation %s", s.Isolation)
	}
	if len(s.Suggestions) > 0 {
		text += ": " + strings.Join(s.Suggestions, "; ")
	}
	return text
}
