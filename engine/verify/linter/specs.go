package linter

import (
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/markdown"
)

// checkSet lints and scores the specs of a set, with their documents, whose ids are in only; nil means all.
func checkSet(project *engine.Project, r *LintResult, set *store.Set, only []string) {
	p := RulesFor(project, set.Graph())
	for _, bad := range set.Invalid {
		if only == nil || slices.Contains(only, bad.ID) {
			found := ParseFindings(p.Settings, bad)
			r.addFindings(found)
			if len(found) > 0 {
				r.addUnreadable()
			}
		}
	}
	if only == nil {
		if stray := strayFindings(p.Settings, project.Store.StrayFiles()); len(stray) > 0 {
			r.addFindings(stray)
		}
	}
	for _, s := range spec.Files(set.Specs) {
		named := slices.Contains(only, s.ID)
		if only != nil && !named {
			continue
		}
		found := p.Check(s)
		r.addFindings(found)
		if named || s.Status != spec.Completed && s.Status != spec.Cancelled {
			r.addScore(SpecScore{ID: s.ID, Title: s.Title, Score: withErrors(p.Score(s), found)}, named)
		}
	}
}

// strayFindings reports files that are meant as specs and are not read.
func strayFindings(settings lint.Settings, paths []string) []lint.Finding {
	sev := settings.SeverityOf(lint.IDRule)
	if sev == lint.Off {
		return nil
	}
	var out []lint.Finding
	for _, path := range paths {
		out = append(out, lint.Finding{
			Rule: lint.IDRule, Severity: sev, Path: path, Line: 1, Next: next.ByHand("move or rename the file"),
			Message: "is not read: a spec is a file ID.md directly in " + store.SpecsDir,
		})
	}
	return out
}

// withErrors returns a score that takes findings into account: a spec with an error is red.
func withErrors(score lint.Score, found []lint.Finding) lint.Score {
	if slices.ContainsFunc(found, func(f lint.Finding) bool { return f.Severity == lint.Error }) {
		score.Light = lint.Red
		score.Suggestions = append([]string{"correct what lint reports as an error"}, score.Suggestions...)
	}
	return score
}

// RulesFor returns the rules of lint with the settings and files of the project, for checking the specs of a graph.
func RulesFor(p *engine.Project, g *spec.Graph) *lint.Project {
	return &lint.Project{Graph: g, Settings: p.Config.LintSettings(), World: newWorld(p)}
}

// ScoreDocument scores a document that is not yet a spec.
func ScoreDocument(p *engine.Project, id string, doc *markdown.Document) (lint.Score, error) {
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return lint.Score{}, err
	}
	store.AdoptHome(p.Store, s)
	return RulesFor(p, spec.GraphOf([]*spec.File{s}, nil)).Score(s), nil
}

// ParseFindings returns the finding for a spec that cannot be read, nothing if its rule is off.
func ParseFindings(settings lint.Settings, bad store.Invalid) []lint.Finding {
	f := lint.Finding{ID: bad.ID, Rule: lint.ParseRule, Severity: settings.SeverityOf(lint.ParseRule), Message: bad.Err.Error(), Path: bad.Path, Line: 1, Next: next.Edit.On(bad.ID)}
	if syntax, ok := errors.AsType[*markdown.SyntaxError](bad.Err); ok {
		f.Message, f.Line = syntax.Msg, syntax.Line
		if syntax.DuplicateKey() {
			f.Rule, f.Severity = lint.DuplicateKeyRule, settings.SeverityOf(lint.DuplicateKeyRule)
		}
	}
	if _, ok := errors.AsType[*spec.IDError](bad.Err); ok {
		f.Rule, f.Severity, f.Next = lint.IDRule, settings.SeverityOf(lint.IDRule), next.ByHand("rename the file")
	}
	if f.Severity == lint.Off {
		return nil
	}
	return []lint.Finding{f}
}
