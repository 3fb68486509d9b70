package linter

import (
	"cmp"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/spec/lint"
)

// LintResult lists findings and scores. Selected specs always have a score; otherwise specs that are neither completed
// nor cancelled have one, and green ones are only counted. If the limit cuts the lists, errors come before warnings,
// and red before yellow and green.
type LintResult struct {
	Findings []lint.Finding   `json:"diagnostics"`
	Found    int              `json:"diagnostics_total"` // findings before the limit
	Passed   int              `json:"passed"`            // specs without a finding
	Warned   int              `json:"warned"`            // specs with warnings only
	Failed   int              `json:"failed"`            // specs with an error
	Total    int              `json:"total"`
	Checked  int              `json:"specs_checked"` // specs with a light; a spec that cannot be read is red
	Red      int              `json:"red"`
	Yellow   int              `json:"yellow"`
	Green    int              `json:"green"`
	Scores   []SpecScore      `json:"results"`
	Fixed    []LintFix        `json:"fixed,omitempty"`
	Tried    []TriedCriterion `json:"tried,omitempty"` // criteria that ran on the target, before any work
}

// SpecScore is the score of one spec.
type SpecScore struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	lint.Score
	Proposed []string `json:"proposed_target_files,omitempty"` // of a selected spec without any; only if code has been indexed
}

// addFindings adds the findings of one spec.
func (r *LintResult) addFindings(found []lint.Finding) {
	r.Total++
	r.Findings = append(r.Findings, found...)
	switch {
	case slices.ContainsFunc(found, func(f lint.Finding) bool { return f.Severity == lint.Error }):
		r.Failed++
	case len(found) > 0:
		r.Warned++
	default:
		r.Passed++
	}
}

// addUnreadable counts a spec that cannot be read and so has no grades.
func (r *LintResult) addUnreadable() {
	r.Checked++
	r.Red++
}

// addScore counts the light of a spec. It lists the score unless the spec is green and was not selected by id.
func (r *LintResult) addScore(s SpecScore, named bool) {
	r.Checked++
	if named || s.Light != lint.Green {
		r.Scores = append(r.Scores, s)
	}
	switch s.Light {
	case lint.Red:
		r.Red++
	case lint.Yellow:
		r.Yellow++
	case lint.Green:
		r.Green++
	}
}

// CountErrors describes how many specs have errors, such as "1 of 3 specs has errors"; kind is "" or a word such as
// "staged".
func (r LintResult) CountErrors(kind string) string {
	noun, verb := "specs", "have"
	if r.Total == 1 {
		noun = "spec"
	}
	if r.Failed == 1 {
		verb = "has"
	}
	if kind != "" {
		kind += " "
	}
	return fmt.Sprintf("%d of %d %s%s %s errors", r.Failed, r.Total, kind, noun, verb)
}

// limit counts the findings and shortens the lists.
func (r LintResult) limit(limit int) LintResult {
	r.Found = len(r.Findings)
	if len(engine.FirstOf(r.Findings, limit)) < r.Found {
		slices.SortStableFunc(r.Findings, func(a, b lint.Finding) int { return cmp.Compare(a.Severity, b.Severity) }) // error, warning
	}
	if len(engine.FirstOf(r.Scores, limit)) < len(r.Scores) {
		worst := []lint.Light{lint.Red, lint.Yellow, lint.Green}
		slices.SortStableFunc(r.Scores, func(a, b SpecScore) int {
			return cmp.Compare(slices.Index(worst, a.Light), slices.Index(worst, b.Light))
		})
	}
	r.Findings, r.Scores = engine.FirstOf(r.Findings, limit), engine.FirstOf(r.Scores, limit)
	return r
}
