package linter

import (
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/lint"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// check lints and scores the specs of a set that are among only, or all.
func check(project *engine.Project, r *LintResult, set *store.Set, only []string) {
	p := LintProject(project, set.Graph())
	for _, bad := range set.Invalid {
		if only == nil || slices.Contains(only, bad.ID) {
			found := ParseFindings(p.Settings, bad)
			r.take(found)
			if len(found) > 0 {
				r.unreadable()
			}
		}
	}
	for _, s := range set.Specs {
		named := slices.Contains(only, s.ID)
		if only != nil && !named {
			continue
		}
		found := p.Check(s)
		r.take(found)
		if named || s.Status != spec.Completed && s.Status != spec.Cancelled {
			r.score(SpecScore{s.ID, s.Title, judged(p.Score(s), found)}, named)
		}
	}
}

// judged is a score in the light of what was found: nothing with an error can be worked as it is.
func judged(score lint.Score, found []lint.Finding) lint.Score {
	if slices.ContainsFunc(found, func(f lint.Finding) bool { return f.Severity == lint.Error }) {
		score.Light = lint.Red
		score.Suggestions = append([]string{"correct what lint reports as an error"}, score.Suggestions...)
	}
	return score
}

// LintProject is what specs are checked in.
func LintProject(p *engine.Project, g *spec.Graph) *lint.Project {
	return &lint.Project{Graph: g, Settings: p.Config.LintSettings(), World: lintWorld(p)}
}

// ScoreOf judges a document that is no spec yet.
func ScoreOf(p *engine.Project, id string, doc *markdown.Document) (lint.Score, error) {
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return lint.Score{}, err
	}
	return LintProject(p, spec.NewGraph([]*spec.Spec{s}, nil)).Score(s), nil
}

// ParseFindings say why a spec cannot be read.
func ParseFindings(settings lint.Settings, bad store.Invalid) []lint.Finding {
	f := lint.Finding{ID: bad.ID, Rule: lint.ParseRule, Severity: settings.Of(lint.ParseRule), Message: bad.Err.Error(), Path: bad.Path, Line: 1, Next: next.Edit.On(bad.ID)}
	if syntax, ok := errors.AsType[*markdown.SyntaxError](bad.Err); ok {
		f.Message, f.Line = syntax.Msg, syntax.Line
		if syntax.DuplicateKey() {
			f.Rule, f.Severity = lint.DuplicateKeyRule, settings.Of(lint.DuplicateKeyRule)
		}
	}
	if f.Severity == lint.Off {
		return nil
	}
	return []lint.Finding{f}
}
