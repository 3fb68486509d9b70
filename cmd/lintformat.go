package cmd

import (
	"io"

	"chant/engine/lint"
	"chant/engine/linter"
	"chant/engine/report"
)

// writeSARIF writes the findings for code scanning.
func writeSARIF(w io.Writer, r linter.LintResult) error {
	return report.SARIF(w, Version, lintRules(), lintFindings(r))
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
