package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// LintInput names one spec; empty checks all.
type LintInput struct {
	ID    string `json:"id,omitempty" jsonschema:"Spec ID (full or partial); all specs when omitted"`
	Limit int    `json:"limit,omitempty" jsonschema:"Maximum number of findings to return (default: 100)"`
}

// LintResult lists what was found. When that is more than the limit, errors come
// before warnings.
type LintResult struct {
	Findings []spec.Finding `json:"diagnostics"`
	Found    int            `json:"diagnostics_total"` // findings before the limit
	Passed   int            `json:"passed"`            // specs without a finding
	Warned   int            `json:"warned"`            // specs with warnings alone
	Failed   int            `json:"failed"`            // specs with an error
	Total    int            `json:"total"`
}

// Lint checks specs, and config.md when all are checked.
func (e *Engine) Lint(ctx context.Context, in LintInput) (LintResult, error) {
	only := ""
	if in.ID != "" {
		id, err := e.find(ctx, in.ID)
		if err != nil {
			return LintResult{}, wrap(err, in.ID)
		}
		only = id
	}
	set, g, err := e.graph(ctx)
	if err != nil {
		return LintResult{}, wrap(err, "")
	}
	r := LintResult{Findings: []spec.Finding{}}
	for _, bad := range set.Invalid {
		if only == "" || only == bad.ID {
			r.take([]spec.Finding{parseFinding(bad)})
		}
	}
	for _, s := range set.Specs {
		if only == "" || only == s.ID {
			r.take(spec.Lint(g, s))
		}
	}
	if only == "" {
		r.Findings = append(r.Findings, e.configFindings()...)
	}
	return r.bounded(in.Limit), nil
}

// bounded counts the findings and cuts the list.
func (r LintResult) bounded(limit int) LintResult {
	r.Found = len(r.Findings)
	if len(first(r.Findings, limit)) < r.Found {
		slices.SortStableFunc(r.Findings, func(a, b spec.Finding) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	}
	r.Findings = first(r.Findings, limit)
	return r
}

// rankOf is 0 for an error and 1 for a warning.
func rankOf(f spec.Finding) int {
	if f.Severity == spec.Error {
		return 0
	}
	return 1
}

// take adds the findings of one spec.
func (r *LintResult) take(found []spec.Finding) {
	r.Total++
	r.Findings = append(r.Findings, found...)
	for _, f := range found {
		if f.Severity == spec.Error {
			r.Failed++
			return
		}
	}
	if len(found) > 0 {
		r.Warned++
		return
	}
	r.Passed++
}

func parseFinding(bad store.Invalid) spec.Finding {
	f := spec.Finding{ID: bad.ID, Rule: "parse", Severity: spec.Error, Message: bad.Err.Error(), Path: bad.Path, Line: 1, Hint: "chant edit " + bad.ID}
	var syntax *markdown.SyntaxError
	if errors.As(bad.Err, &syntax) {
		f.Message, f.Line = syntax.Msg, syntax.Line
	}
	return f
}

func (e *Engine) configFindings() []spec.Finding {
	var out []spec.Finding
	for _, key := range e.config.unknown {
		out = append(out, spec.Finding{
			Rule: "config", Severity: spec.Warning, Path: store.ConfigPath, Line: 1,
			Message: "unknown key \"" + key + "\" does nothing",
		})
	}
	return out
}
