package engine

import (
	"context"
	"slices"

	"chant/engine/lint"
)

// LintInput names specs; without any, all are checked.
type LintInput struct {
	ID     string   `json:"id,omitempty" jsonschema:"Spec ID (full or partial); all specs when omitted"`
	IDs    []string `json:"-"` // further ones
	Fix    bool     `json:"-"` // first mend what can be mended without a doubt
	Staged bool     `json:"-"` // check specs as they are staged, and none when none is
	Limit  int      `json:"limit,omitempty" jsonschema:"Maximum number of findings and of scores to return (default: 100)"`
}

// Lint checks specs, and config.md when all are checked. Errors: NotFound and Usage for
// ids that cannot be resolved.
func (e *Engine) Lint(ctx context.Context, in LintInput) (LintResult, error) {
	result, err := e.lint(ctx, in)
	return done(result, err, in.ID)
}

func (e *Engine) lint(ctx context.Context, in LintInput) (LintResult, error) {
	r := LintResult{Findings: []lint.Finding{}, Scores: []SpecScore{}}
	if in.Staged {
		return e.lintStaged(ctx, in, r)
	}
	only, err := e.lintOnly(ctx, in)
	if err != nil {
		return r, err
	}
	if in.Fix {
		if r.Fixed, err = e.lintFix(ctx, only); err != nil {
			return r, err
		}
	}
	set, err := e.store.Load(ctx)
	if err != nil {
		return r, err
	}
	e.check(&r, set, only)
	if only == nil {
		r.Findings = append(r.Findings, e.config.configFindings()...)
		r.Findings = append(r.Findings, e.promptFindings()...)
	}
	return r.bounded(in.Limit), nil
}

// lintOnly resolves what was named; nil for all.
func (e *Engine) lintOnly(ctx context.Context, in LintInput) ([]string, error) {
	var only []string
	for _, text := range append(slices.Clone(in.IDs), in.ID) {
		if text == "" {
			continue
		}
		id, err := e.find(ctx, text)
		if err != nil {
			return nil, wrap(err, text)
		}
		if !slices.Contains(only, id) {
			only = append(only, id)
		}
	}
	return only, nil
}
