package checks

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/format/report"
	"chant/engine/spec/lint"
	"chant/engine/spec/next"
	"chant/engine/verify/linter"

	"github.com/spf13/cobra"
)

// NewLint returns the command "chant lint".
func NewLint(a *console.App) *cobra.Command {
	var in linter.LintInput
	format := "text"
	c := &cobra.Command{
		Use:     "lint [ID...]",
		Short:   "Check specs, prompts and settings for mistakes",
		Long:    "Check the named specs, or all specs and the settings, and report how likely an agent is to complete them. Exits with 4 on errors; warnings do not count. See \"chant guide specs\" for the format of a spec.",
		Example: "chant lint\nchant lint 001 --fix\nchant lint 001 --run\nchant lint --format sarif > lint.sarif",
		RunE: func(c *cobra.Command, args []string) error {
			in.IDs = args
			if err := checkFormat(a, "lint", format, "text", "json", "sarif"); err != nil {
				return err
			}
			in.Limit = a.AllInText(in.Limit)
			p, err := a.Open()
			if err != nil {
				return err
			}
			result, err := linter.Lint(c.Context(), p, in)
			if err != nil {
				return err
			}
			if format == "sarif" {
				err = writeSARIF(a.Out, result)
			} else if !in.Staged || len(result.Findings) > 0 || a.JSON {
				// A hook that finds nothing prints nothing.
				err = console.Show(a, result, renderLint)
			}
			if err != nil {
				return err
			}
			return lintFailure(result)
		},
	}
	f := c.Flags()
	f.BoolVar(&in.Fix, "fix", false, "first fix what has one certain fix, with one commit for each spec")
	f.BoolVar(&in.Run, "run", false, "run the criteria of the named specs before any work, and say which hold already")
	f.BoolVar(&in.Staged, "staged", false, "check only staged specs, in their staged version (for hooks)")
	f.StringVarP(&format, "format", "f", format, "one of text, json, sarif")
	f.VarP(console.AtLeast(0, &in.Limit), "limit", "n", "at most this many findings (default: all, as JSON 100)")
	c.MarkFlagsMutuallyExclusive("fix", "staged")
	c.MarkFlagsMutuallyExclusive("run", "staged")
	return c
}

// lintFailure returns the error of a command whose findings contain errors.
func lintFailure(r linter.LintResult) error {
	i := slices.IndexFunc(r.Findings, func(f lint.Finding) bool { return f.Severity == lint.Error })
	switch {
	case i < 0:
		return nil
	case r.Failed == 0:
		return &engine.Error{Code: engine.Invalid, Message: "the settings have errors", Next: next.EditFile(r.Findings[i].Path)}
	}
	return &engine.Error{Code: engine.Invalid, Message: r.CountErrors(""), Next: next.Edit.On(r.Findings[i].ID)}
}

func renderLint(w io.Writer, r linter.LintResult) {
	for _, f := range r.Fixed {
		if f.Left != "" {
			fmt.Fprintf(w, "%s: not fixed: %s\n", f.ID, f.Left)
			continue
		}
		fmt.Fprintf(w, "%s: fixed: %s\n", f.ID, strings.Join(f.Did, "; "))
	}
	for _, t := range r.Tried {
		fmt.Fprintf(w, "%s: %s\n", t.ID, t.Words())
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
	fmt.Fprintf(w, "%s: %d passed, %d with warnings, %d with errors", console.Plural(r.Total, "spec"), r.Passed, r.Warned, r.Failed)
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

// writeSARIF writes the findings for code scanning.
func writeSARIF(w io.Writer, r linter.LintResult) error {
	return report.SARIF(w, console.ThisBuild().Version, lintRules(), lintFindings(r))
}

// lintRules are the rules as reports have them.
func lintRules() []report.Rule {
	var rules []report.Rule
	for _, rule := range lint.Rules() {
		rules = append(rules, report.Rule{ID: rule.ID, Text: rule.Text})
	}
	return rules
}

// lintFindings are findings as reports have them.
func lintFindings(r linter.LintResult) []report.Finding {
	var found []report.Finding
	for _, f := range r.Findings {
		level := report.Warning
		if f.Severity == lint.Error {
			level = report.Error
		}
		found = append(found, report.Finding{Rule: f.Rule, Level: level, Message: f.Message, Path: f.Path, Line: f.Line, Spec: f.ID})
	}
	return found
}
