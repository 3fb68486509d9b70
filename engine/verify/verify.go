package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine"
	"chant/engine/config"
	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/run/judge"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// VerifyInput says which spec to check, and whether its commands run.
type VerifyInput struct {
	ID  string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Run bool   `json:"run,omitempty" jsonschema:"Run the commands of criteria; otherwise boxes are counted"`
}

// VerifyResult says whether the criteria hold.
type VerifyResult struct {
	SpecID      string             `json:"spec_id"`
	Verified    bool               `json:"verified"`
	Criteria    CriteriaCount      `json:"criteria"`
	Unchecked   []string           `json:"unchecked_items"`
	Notes       string             `json:"verification_notes"`
	Status      criteria.Status    `json:"verification_status,omitempty"` // not of boxes that were counted, as all below
	Path        string             `json:"path,omitempty"`
	At          time.Time          `json:"at,omitzero"`
	Commit      string             `json:"commit,omitempty"` // what was checked; empty for an uncommitted tree
	Tree        string             `json:"tree,omitempty"`
	Environment map[string]string  `json:"environment,omitempty"` // what verify.env says
	Verdicts    []criteria.Verdict `json:"evidence,omitempty"`
	Forged      []string           `json:"forged,omitempty"`   // why its completion is not believed
	Weakened    []string           `json:"weakened,omitempty"` // what was asked for more when it was completed
	Recorded    *RecordedEvidence  `json:"recorded,omitempty"` // what was found when it was completed
	Flagged     bool               `json:"flagged,omitempty"`  // it was completed and needs attention now
	Invalid     string             `json:"invalid,omitempty"`  // why its file cannot be read, with path and line; then nothing else is known

	NoEvidence bool `json:"-"` // the first reason in Forged is that no evidence was found

	required bool // its project requires that there is something to verify
}

// CriteriaCount counts criteria by whether they hold.
type CriteriaCount struct {
	Total     int `json:"total"`
	Checked   int `json:"checked"`
	Unchecked int `json:"unchecked"`
}

// Verify checks the criteria of a spec and changes nothing. Commands run in a
// clean worktree of the commit in question: the run's branch if there is one,
// else the target. Inside the run's own worktree they run right there. What the same
// command has shown in the same tree is not asked again.
func Verify(ctx context.Context, p *engine.Project, in VerifyInput) (VerifyResult, error) {
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return VerifyResult{}, engine.Wrap(err, in.ID)
	}
	if !in.Run {
		return countBoxes(s), nil
	}
	result, err := VerifyByRunning(ctx, p, s)
	return engine.Done(result, err, s.ID)
}

func countBoxes(s *spec.Spec) VerifyResult {
	r := VerifyResult{SpecID: s.ID, Unchecked: []string{}}
	for _, c := range spec.Criteria(s.Doc) {
		r.count(c.Checked, c.Text)
	}
	return r.judge()
}

func (r *VerifyResult) count(holds bool, text string) {
	r.Criteria.Total++
	if holds {
		r.Criteria.Checked++
		return
	}
	r.Criteria.Unchecked++
	r.Unchecked = append(r.Unchecked, "- [ ] "+text)
}

func (r VerifyResult) judge() VerifyResult {
	r.Verified = r.Criteria.Total > 0 && r.Criteria.Unchecked == 0
	switch {
	case r.Criteria.Total == 0:
		r.Notes = string(criteria.Nothing)
	case r.Verified:
		r.Notes = "All acceptance criteria met"
	default:
		r.Notes = fmt.Sprintf("%d criteria not yet checked", r.Criteria.Unchecked)
	}
	return r
}

// VerifyByRunning checks one spec where it speaks.
func VerifyByRunning(ctx context.Context, p *engine.Project, s *spec.Spec) (VerifyResult, error) {
	r, err := JudgeOf(p, s)
	if err != nil {
		return VerifyResult{}, err
	}
	if p.Store.RunOf() == s.ID {
		report, err := r.Judge.CheckHere(ctx, p.Repo.Dir(), s)
		return told(s, report, err)
	}
	commit, err := commitOf(ctx, p, s)
	if err != nil {
		return VerifyResult{}, err
	}
	report, err := r.Judge.CheckAt(ctx, commit, s)
	return told(s, report, err)
}

// JudgeOf is a run that only judges a spec, or asks about it.
func JudgeOf(p *engine.Project, s *spec.Spec) (*run.Run, error) {
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		return nil, err
	}
	if s.Branch == "" {
		h.Trusted = nil // what has landed, or was never begun, speaks for itself
	}
	id, err := run.RunID(p)
	r := run.NewRun(p, journal.Job{ID: s.ID, Title: s.Title, Branch: s.Branch, RunID: id}, h, run.SettingsOf(p))
	r.Judge.Cache = p.Store.Evidence()
	return r, err
}

// commitOf is where a spec speaks: the tip of its run's branch, else of the target, or
// what is checked out where there is no target, as on a CI machine.
func commitOf(ctx context.Context, p *engine.Project, s *spec.Spec) (string, error) {
	if s.Branch != "" {
		return p.Repo.Resolve(ctx, "refs/heads/"+s.Branch)
	}
	target, err := run.TargetFor(ctx, p, s)
	if head, headErr := p.Repo.Head(ctx, p.Repo.Home()); err != nil && headErr == nil && head.Branch == "" {
		return head.Hash, nil
	}
	if err != nil {
		return "", err
	}
	return p.Repo.Resolve(ctx, "refs/heads/"+target)
}

// told turns a report into a result. A tree that the criteria themselves have changed
// proves nothing, which is an answer and no error.
func told(s *spec.Spec, report criteria.Report, err error) (VerifyResult, error) {
	r := VerifyResult{
		SpecID: s.ID, Unchecked: []string{}, Path: s.Doc.Path(), At: report.At, Commit: report.Commit, Tree: report.Tree,
		Environment: report.Environment, Verdicts: report.Criteria,
	}
	for _, v := range report.Criteria {
		r.count(v.Holds, v.Text)
	}
	r = r.judge()
	r.Status = criteria.Sum(report.Criteria)
	if r.Criteria.Unchecked > 0 {
		r.Notes = judge.Unheld(r.Criteria.Unchecked, r.Criteria.Total)
	}
	var f *journal.Failure
	if errors.As(err, &f) && f.Kind.FailsVerification() {
		r.Verified, r.Status, r.Notes = false, criteria.Failed, f.Message
		err = nil
	}
	return r, err
}

// checksAt are the project's checks as a commit has them.
func checksAt(ctx context.Context, p *engine.Project, commit string) (spec.Checks, error) {
	src, err := p.Repo.ReadFile(ctx, commit, store.ConfigPath)
	if errors.Is(err, gitops.ErrNotFound) {
		return p.Config.Verify, nil // .chant is not in git, or was not yet
	}
	if err != nil {
		return spec.Checks{}, err
	}
	c := config.DefaultConfig(engine.Home(p))
	err = c.Read(src, engine.Home(p))
	return c.Verify, err
}

// OnlyWithoutEvidence reports whether all that speaks against a completion is that no
// evidence of it was found.
func (r VerifyResult) OnlyWithoutEvidence() bool {
	return r.NoEvidence && len(r.Forged) == 1 && criteria.Sum(r.Verdicts) == criteria.Passed
}
