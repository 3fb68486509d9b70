package linter

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/spec/next"
)

// TriedCriterion is a criterion whose commands ran on the target, before any work.
type TriedCriterion struct {
	ID     string `json:"spec_id"`
	Number int    `json:"number"`
	Text   string `json:"text"`
	Holds  bool   `json:"holds"` // already
	Guard  bool   `json:"guard,omitempty"`
	Why    string `json:"why,omitempty"` // if it does not hold

	path string
	line int
}

// Try runs the criteria of a pending spec on the tip of its target. Errors: State for a spec with work, whose base is
// known; those of a check.
func Try(ctx context.Context, p *engine.Project, id string) ([]TriedCriterion, error) {
	// An agent could have any command run as a criterion.
	if err := engine.MayInside(p, "verify", id); err != nil {
		return nil, err
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if s.Status != spec.Pending || s.Branch != "" {
		return nil, engine.Fail(engine.State, next.Verify.On(id), "%q is %s: only the criteria of a spec without work can be tried", id, s.Status)
	}
	target, err := run.TargetFor(ctx, p, &s.Spec)
	if err != nil {
		return nil, err
	}
	commit, err := p.Repo.Resolve(ctx, "refs/heads/"+target)
	if err != nil {
		return nil, err
	}
	mark, err := run.RunID(p)
	if err != nil {
		return nil, err
	}
	report, err := run.NewQuestionRun(p, journal.Job{ID: s.ID, Title: s.Title, RunID: mark}, &journal.History{}).Judge.CheckAt(ctx, commit, s)
	out := []TriedCriterion{}
	for _, v := range report.Criteria {
		if v.How == criteria.ByRunning && v.Source == criteria.FromCriteria {
			out = append(out, TriedCriterion{ID: s.ID, Number: v.Number, Text: v.Text, Holds: v.Holds, Guard: v.Guard, Why: v.WhyBeside(), line: v.Line, path: s.Path})
		}
	}
	return out, err
}

// tryCriteria runs the criteria of the named specs, and reports those that already hold and are not guards, and guards that
// do not hold.
func tryCriteria(ctx context.Context, p *engine.Project, r *LintResult, only []string) error {
	if len(only) == 0 {
		return engine.Fail(engine.Usage, next.Lint.Help(), "--run needs the id of a spec")
	}
	for _, id := range only {
		tried, err := Try(ctx, p, id)
		if err != nil {
			return engine.Wrap(err, id)
		}
		r.Tried = append(r.Tried, tried...)
	}
	severity := p.Config.LintSettings().SeverityOf(lint.AlreadyTrueRule)
	for _, t := range r.Tried {
		if t.Holds == t.Guard || severity == lint.Off {
			continue
		}
		text := fmt.Sprintf("criterion %d already holds, so it will prove nothing about the work; if it is a guard, begin its text with keeps:", t.Number)
		if t.Guard {
			text = fmt.Sprintf("criterion %d is a guard and does not hold: %s", t.Number, t.Why)
		}
		r.Findings = append(r.Findings, lint.Finding{
			ID: t.ID, Rule: lint.AlreadyTrueRule, Severity: severity, Message: text, Path: t.path, Line: t.line, Next: next.Edit.On(t.ID),
		})
	}
	return nil
}

// Words says what was found, in one line.
func (t TriedCriterion) Words() string {
	state := "does not hold yet: " + t.Why
	if t.Holds {
		state = "holds already"
	}
	if t.Guard {
		state += " (a guard)"
	}
	return fmt.Sprintf("criterion %d %s", t.Number, state)
}
