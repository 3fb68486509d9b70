package linter

import (
	"context"
	"slices"

	"chant/engine"
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
func Lint(ctx context.Context, p *engine.Project, in LintInput) (LintResult, error) {
	result, err := lintAll(ctx, p, in)
	return engine.Done(result, err, in.ID)
}

func lintAll(ctx context.Context, p *engine.Project, in LintInput) (LintResult, error) {
	r := LintResult{Findings: []lint.Finding{}, Scores: []SpecScore{}}
	if in.Staged {
		return lintStaged(ctx, p, in, r)
	}
	only, err := lintOnly(ctx, p, in)
	if err != nil {
		return r, err
	}
	if in.Fix {
		if r.Fixed, err = lintFix(ctx, p, only); err != nil {
			return r, err
		}
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return r, err
	}
	check(p, &r, set, only)
	if only == nil {
		r.Findings = append(r.Findings, p.Config.ConfigFindings()...)
		r.Findings = append(r.Findings, promptFindings(p)...)
	}
	return r.bounded(in.Limit), nil
}

// lintOnly resolves what was named; nil for all.
func lintOnly(ctx context.Context, p *engine.Project, in LintInput) ([]string, error) {
	var only []string
	for _, text := range append(slices.Clone(in.IDs), in.ID) {
		if text == "" {
			continue
		}
		id, err := engine.Find(ctx, p, text)
		if err != nil {
			return nil, engine.Wrap(err, text)
		}
		if !slices.Contains(only, id) {
			only = append(only, id)
		}
	}
	return only, nil
}
