package linter

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/store"
)

// LintInput selects the specs to check; without an id, all are checked.
type LintInput struct {
	ID     string   `json:"id,omitempty" jsonschema:"Spec ID (full or partial); all specs when omitted"`
	IDs    []string `json:"-"` // further ids
	Fix    bool     `json:"-"` // first correct what can be corrected with certainty
	Run    bool     `json:"-"` // also run the criteria of the named specs on the target
	Staged bool     `json:"-"` // check only the specs that are staged, in their staged version
	Limit  int      `json:"limit,omitempty" jsonschema:"Maximum number of findings and of scores to return (default: 100)"`
}

// Lint checks specs. If it checks all, it also checks config.md, prompts, templates and rules. Errors: NotFound and Usage for
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
	only, err := resolveIDs(ctx, p, in)
	if err != nil {
		return r, err
	}
	if in.Fix {
		if r.Fixed, err = fixSpecs(ctx, p, only); err != nil {
			return r, err
		}
	}
	set, _, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return r, err
	}
	checkSet(p, &r, set, only)
	if err := proposeFiles(ctx, p, &r, set, only); err != nil {
		return r, err
	}
	if in.Run {
		if err := tryCriteria(ctx, p, &r, only); err != nil {
			return r, err
		}
	}
	if only == nil {
		r.Findings = append(r.Findings, p.Config.ConfigFindings()...)
		r.Findings = append(r.Findings, lintPrompts(p)...)
		r.Findings = append(r.Findings, lintTemplates(p)...)
		r.Findings = append(r.Findings, checkRules(p, p.Config.LintSettings().SeverityOf(lint.RulesRule))...)
	}
	return r.limit(in.Limit), nil
}

// resolveIDs returns the ids of the selected specs, nil for all.
func resolveIDs(ctx context.Context, p *engine.Project, in LintInput) ([]string, error) {
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

// lintStaged checks the specs that the next commit would add or change, in their staged version, together with all
// others as they are in the checkout. If no file is staged, no spec is read.
func lintStaged(ctx context.Context, p *engine.Project, in LintInput, r LintResult) (LintResult, error) {
	files, err := p.Repo.Staged(ctx, p.Repo.Dir(), engine.Variable(p, "GIT_INDEX_FILE"), store.SpecsDir)
	if err != nil || len(files) == 0 {
		return r, err
	}
	set, _, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return r, err
	}
	var only []string
	for _, f := range files {
		id, ok := store.SpecOf(f.Path)
		if !ok {
			continue
		}
		only = append(only, id)
		set.Specs = slices.DeleteFunc(set.Specs, func(s *spec.Spec) bool { return s.ID == id })
		set.Invalid = slices.DeleteFunc(set.Invalid, func(bad store.Invalid) bool { return bad.ID == id })
		if s, err := spec.Parse(id, f.Path, f.Content); err != nil {
			set.Invalid = append(set.Invalid, store.Invalid{ID: id, Path: f.Path, Err: err})
		} else {
			store.AdoptHome(p.Store, s)
			set.Specs = append(set.Specs, &s.Spec)
		}
	}
	if only != nil {
		checkSet(p, &r, set, only)
	}
	return r.limit(in.Limit), nil
}
