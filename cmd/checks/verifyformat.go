package checks

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/evidence/criteria"
	"chant/engine/format/report"
	"chant/engine/verify"
	"chant/text"
)

// verifyWriter writes an answer in a format; JSON is written like every result.
func verifyWriter(format string) func(io.Writer, verify.VerifyAllResult) error {
	switch format {
	case "junit":
		return func(w io.Writer, r verify.VerifyAllResult) error { return report.JUnit(w, verifySuites(r)) }
	case "sarif":
		return func(w io.Writer, r verify.VerifyAllResult) error {
			return report.SARIF(w, console.ThisBuild().Version, verifyRules(), verifyFindings(r))
		}
	case "markdown":
		return console.AsText(renderVerifyMarkdown)
	}
	return console.AsText(renderVerifyAll)
}

// showVerified prints an answer. As JSON, a single named spec is printed without a list.
func showVerified(a *console.App, r verify.VerifyAllResult, alone bool, write func(io.Writer, verify.VerifyAllResult) error) error {
	switch {
	case !a.JSON:
		return write(a.Out, r)
	// A spec that was named on the command line needs no list.
	case alone && len(r.Specs) == 1:
		return console.Show(a, r.Specs[0], renderVerify)
	}
	return console.Show(a, r, renderVerifyAll)
}

// verifySuites is a suite for each spec and a case for each criterion.
func verifySuites(r verify.VerifyAllResult) []report.Suite {
	var out []report.Suite
	for _, one := range r.Specs {
		suite := report.Suite{Name: one.SpecID, File: one.Path, Time: one.At}
		for _, v := range one.Verdicts {
			suite.Cases = append(suite.Cases, verifyCase(one, v))
		}
		for i, why := range one.Forged {
			suite.Cases = append(suite.Cases, report.Case{Name: fmt.Sprintf("evidence %d", i+1), Class: one.SpecID, File: one.Path, Failure: why})
		}
		if one.Invalid != "" {
			suite.Cases = []report.Case{{Name: "criteria", Class: one.SpecID, File: one.Path, Failure: one.Notes}}
		} else if len(suite.Cases) == 0 {
			suite.Cases = []report.Case{{Name: "criteria", Class: one.SpecID, File: one.Path, Skipped: one.Notes}}
		} else if why := whyUnverified(one); why != "" {
			// Every criterion holds, but something else does not.
			suite.Cases = append(suite.Cases, report.Case{Name: "worktree", Class: one.SpecID, File: one.Path, Failure: why})
		}
		out = append(out, suite)
	}
	return out
}

func verifyCase(one verify.VerifyResult, v criteria.Verdict) report.Case {
	c := report.Case{Name: fmt.Sprintf("%d. %s", v.Number, v.Text), Class: one.SpecID, File: one.Path, Line: v.Line}
	for _, ev := range v.Evidence {
		c.Seconds += ev.Seconds
		c.Output += fmt.Sprintf("$ %s\n%s", ev.Command, ev.Tail)
	}
	switch {
	case v.Holds:
	case v.IsUndecided():
		c.Skipped = v.Why
	default:
		c.Failure = v.Why
	}
	return c
}

// The rules under which what does not hold is reported.
const (
	ruleCriterion = "criterion"
	ruleForged    = "forged-completion"
	ruleUnproven  = "unproven"
	ruleWeakened  = "weakened-check"
	ruleNotice    = "notice"
)

func verifyRules() []report.Rule {
	return []report.Rule{
		{ID: ruleCriterion, Text: "A criterion of a spec does not hold."},
		{ID: ruleForged, Text: "A spec is completed, but its evidence does not bear it out."},
		{ID: ruleUnproven, Text: "A spec has nothing to verify, its criteria prove nothing, or it cannot be read."},
		{ID: ruleWeakened, Text: "The work on a spec weakens a check: a test, what it expects, or how it is run."},
		{ID: ruleNotice, Text: "A commit changes how work is made and judged, or a person has let something pass."},
	}
}

// verifyFindings returns a finding for each failed check.
func verifyFindings(r verify.VerifyAllResult) []report.Finding {
	var out []report.Finding
	for _, one := range r.Specs {
		before := len(out)
		add := func(rule, level, message string, line int) {
			out = append(out, report.Finding{Rule: rule, Level: level, Message: message, Path: one.Path, Line: line, Spec: one.SpecID})
		}
		for _, v := range one.Verdicts {
			level := report.Error
			if v.IsUndecided() {
				level = report.Warning
			}
			if !v.Holds {
				add(ruleCriterion, level, fmt.Sprintf("criterion %d failed: %s (%s)", v.Number, v.Text, v.Why), v.Line)
			}
		}
		for _, why := range one.Forged {
			add(ruleForged, report.Error, why, 0)
		}
		if one.Invalid != "" {
			add(ruleUnproven, report.Error, one.Notes, 0)
		} else if !one.Verified && len(out) == before {
			// A finding of its own only where no other one says why.
			add(ruleUnproven, report.Warning, one.Notes, 0)
		}
		for _, w := range one.Weakened {
			out = append(out, report.Finding{Rule: ruleWeakened, Level: report.Warning, Message: w.String(), Path: w.File, Line: w.Line, Spec: one.SpecID})
		}
	}
	return append(out, noticeFindings(r)...)
}

// noticeFindings returns a finding for each notice.
func noticeFindings(r verify.VerifyAllResult) []report.Finding {
	var out []report.Finding
	for _, n := range r.Notices {
		f := report.Finding{Rule: ruleNotice, Level: report.Warning, Message: noticeText(n), Path: n.Path, Spec: n.SpecID}
		for _, one := range r.Specs {
			// GitHub shows a finding beside a file only if it has a path.
			if f.Path == "" && one.SpecID == n.SpecID {
				f.Path = one.Path
			}
		}
		out = append(out, f)
	}
	return out
}

// renderVerifyMarkdown prints a summary for a job's page or a pull request.
func renderVerifyMarkdown(w io.Writer, r verify.VerifyAllResult) {
	fmt.Fprintf(w, "## Criteria: %s, %s\n", console.Plural(len(r.Specs), "spec"), verifyCounts(r))
	if len(r.Specs) > 0 {
		fmt.Fprint(w, "\n| spec | status | holds | what does not |\n|---|---|---|---|\n")
	}
	for _, one := range r.Specs {
		var open []string
		for _, v := range one.Verdicts {
			if !v.Holds {
				open = append(open, fmt.Sprintf("%s: %s", cell(v.Text), cell(v.Why)))
			}
		}
		for _, why := range one.Forged {
			open = append(open, "**forged**: "+cell(why))
		}
		if why := whyUnverified(one); why != "" {
			open = append(open, cell(why))
		}
		status := cmp.Or(string(one.Status), cell(one.Notes))
		if one.Signature != nil {
			status += cell(one.Signature.AfterComma())
		}
		if one.Invalid != "" {
			status, open = "cannot be read", []string{cell(one.Invalid)}
		}
		fmt.Fprintf(w, "| %s | %s | %d of %d | %s |\n", cell(one.SpecID), status, one.Criteria.Checked, one.Criteria.Total, strings.Join(open, "<br>"))
	}
	if len(r.Notices) > 0 {
		fmt.Fprintf(w, "\n## Rules and decisions: %d\n", len(r.Notices))
		renderFindings(w, noticeFindings(r))
	}
}

// cell makes a text fit a cell of a table.
func cell(content string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text.OneLine(content))
}
