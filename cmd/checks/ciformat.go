package checks

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/engine/format/report"
	"chant/engine/spec/lint"
	"chant/engine/verify"
	"chant/engine/verify/gate"
)

// The rule under which drift is reported.
const ruleDrift = "drift"

// ciFindings is everything that a job finds, errors first.
func ciFindings(r gate.CIResult) []report.Finding {
	out := slices.Concat(lintFindings(r.Lint), verifyFindings(r.Verified), driftFindings(r.Drift))
	if r.Remote != nil {
		out = append(out, verifyFindings(r.Remote.Verified)...)
	}
	// GitHub shows only the first of many.
	slices.SortStableFunc(out, func(a, b report.Finding) int { return severity(a) - severity(b) })
	return out
}

func severity(f report.Finding) int {
	return slices.Index([]string{report.Error, report.Warning, report.Note}, f.Level)
}

func driftFindings(r verify.DriftResult) []report.Finding {
	var out []report.Finding
	for _, s := range r.Specs {
		f := report.Finding{Rule: ruleDrift, Level: report.Warning, Path: s.Path, Line: 1, Spec: s.ID}
		switch s.State {
		case verify.Drifted:
			f.Message = "completed, and since then " + strings.Join(driftedFiles(s), ", ")
		case verify.Unknown:
			f.Level, f.Message = report.Note, "it is unknown what it depended on when it was completed: "+s.Why
		case verify.StateReworded:
			f.Level, f.Message = report.Note, "it was proven in another wording: "+s.Reworded[0].String()
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

// driftedFiles names the files of a spec that has drifted.
func driftedFiles(s verify.DriftedSpec) []string {
	var out []string
	for _, f := range s.Files {
		out = append(out, f.Path+" was "+f.Change)
	}
	if more := s.FilesTotal - len(s.Files); more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return out
}

// ciRules are the rules under which findings of a job are reported.
func ciRules() []report.Rule {
	return slices.Concat(lintRules(), verifyRules(), []report.Rule{{ID: ruleDrift, Text: "A file that a completed spec depends on has changed since."}})
}

// ciSuites are the criteria, and a suite of what lint finds.
func ciSuites(r gate.CIResult) []report.Suite {
	linted := report.Suite{Name: "lint"}
	for _, f := range lintFindings(r.Lint) {
		c := report.Case{Name: f.Rule, Class: f.Spec, File: f.Path, Line: f.Line}
		if f.Level == report.Error {
			c.Failure = f.Message
		} else {
			c.Output = f.Message
		}
		linted.Cases = append(linted.Cases, c)
	}
	// A suite without cases looks as if lint had not run.
	if len(linted.Cases) == 0 {
		linted.Cases = []report.Case{{Name: console.Plural(r.Lint.Total, "spec"), Class: "lint"}}
	}
	suites := verifySuites(r.Verified)
	if r.Remote != nil {
		suites = append(suites, verifySuites(r.Remote.Verified)...)
	}
	return append(suites, linted)
}

// renderCI prints a line for each spec that passed, what failed, and a sum.
func renderCI(w io.Writer, r gate.CIResult) {
	for _, f := range r.Lint.Findings {
		if f.Severity == lint.Error {
			fmt.Fprintf(w, "FAIL  %s:%d: %s (%s)\n", f.Path, f.Line, f.Message, f.Rule)
		}
	}
	renderBriefly(w, r.Verified)
	if r.Remote != nil {
		fmt.Fprintf(w, "%s, which has commits that are not here (%s):\n", r.Remote.Branch, r.Remote.Range)
		renderBriefly(w, r.Remote.Verified)
	}
	if n := len(r.Verified.Skipped); n > 0 {
		named := strings.Join(r.Verified.Skipped[:min(n, maxSkipped)], ", ")
		if n > maxSkipped {
			named += fmt.Sprintf(" and %d more", n-maxSkipped)
		}
		fmt.Fprintf(w, "%s completed before verify.since: skipped %s\n", console.Plural(n, "spec"), named)
	}
	fmt.Fprintf(w, "%s: %s; lint: %d with warnings, %d with errors; %d drifted\n",
		rangeText(r), verifyCounts(r.Verified), r.Lint.Warned, r.Lint.Failed, r.Drift.Drifted)
}

// maxSkipped is how many skipped specs are named.
const maxSkipped = 10

// renderAllOfCI prints everything that a job has looked at.
func renderAllOfCI(w io.Writer, r gate.CIResult) {
	fmt.Fprintf(w, "range: %s\nevidence: %s\n\nlint:\n", rangeText(r), r.Evidence)
	renderLint(w, r.Lint)
	fmt.Fprint(w, "\ncriteria:\n")
	renderVerified(w, r.Verified)
	for _, id := range r.Verified.Skipped {
		fmt.Fprintf(w, "skipped %s: completed before verify.since\n", id)
	}
	if r.Remote != nil {
		fmt.Fprintf(w, "\n%s, which has commits that are not here (%s):\n", r.Remote.Branch, r.Remote.Range)
		renderVerified(w, r.Remote.Verified)
	}
	renderDrift(w, r.Drift)
}

func rangeText(r gate.CIResult) string {
	switch {
	case r.Empty != "":
		return "every completed spec, since " + r.Empty + " brings nothing"
	case r.Range == "":
		return "every completed spec"
	}
	return r.Range
}

// renderCIMarkdown is the summary for the job's page.
func renderCIMarkdown(w io.Writer, r gate.CIResult) {
	fmt.Fprintf(w, "# chant: %s\n\n`%s`, evidence %s\n\n", verdictText(r), rangeText(r), cell(r.Evidence))
	renderVerifyMarkdown(w, r.Verified)
	if r.Remote != nil {
		fmt.Fprintf(w, "\n# %s, which has commits that are not here\n\n", cell(r.Remote.Branch))
		renderVerifyMarkdown(w, r.Remote.Verified)
	}
	fmt.Fprintf(w, "\n## Lint: %s, %d with warnings, %d with errors\n", console.Plural(r.Lint.Total, "spec"), r.Lint.Warned, r.Lint.Failed)
	renderFindings(w, lintFindings(r.Lint))
	fmt.Fprintf(w, "\n## Drift: %s, %d drifted, %d unknown\n", comparedText(r.Drift), r.Drift.Drifted, r.Drift.Unknown)
	renderFindings(w, driftFindings(r.Drift))
}

func verdictText(r gate.CIResult) string {
	if err := r.Verdict(); err != nil {
		return cell(err.Error())
	}
	return "all is well"
}

// maxFindings bounds a table of the summary; GitHub takes a megabyte.
const maxFindings = 100

func renderFindings(w io.Writer, found []report.Finding) {
	if len(found) == 0 {
		return
	}
	fmt.Fprint(w, "\n| spec | level | what |\n|---|---|---|\n")
	for _, f := range found[:min(len(found), maxFindings)] {
		fmt.Fprintf(w, "| %s | %s | %s |\n", cell(f.Spec), f.Level, cell(f.Message))
	}
	if more := len(found) - maxFindings; more > 0 {
		fmt.Fprintf(w, "\nand %d more\n", more)
	}
}
