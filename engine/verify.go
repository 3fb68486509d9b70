package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/gitops"
)

// VerifyInput says which spec to check, and whether its commands run.
type VerifyInput struct {
	ID  string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Run bool   `json:"run,omitempty" jsonschema:"Run the commands of criteria; otherwise boxes are counted"`
}

// VerifyResult says whether the criteria hold.
type VerifyResult struct {
	SpecID      string            `json:"spec_id"`
	Verified    bool              `json:"verified"`
	Criteria    CriteriaCount     `json:"criteria"`
	Unchecked   []string          `json:"unchecked_items"`
	Notes       string            `json:"verification_notes"`
	Status      verify.Status     `json:"verification_status,omitempty"` // not of boxes that were counted, as all below
	Path        string            `json:"path,omitempty"`
	At          time.Time         `json:"at,omitzero"`
	Commit      string            `json:"commit,omitempty"` // what was checked; empty for an uncommitted tree
	Tree        string            `json:"tree,omitempty"`
	Environment map[string]string `json:"environment,omitempty"` // what verify.env says
	Verdicts    []verify.Verdict  `json:"evidence,omitempty"`
	Forged      []string          `json:"forged,omitempty"`   // why its completion is not believed
	Weakened    []string          `json:"weakened,omitempty"` // what was asked for more when it was completed
	Recorded    *RecordedEvidence `json:"recorded,omitempty"` // what was found when it was completed
	Flagged     bool              `json:"flagged,omitempty"`  // it was completed and needs attention now
	Invalid     string            `json:"invalid,omitempty"`  // why its file cannot be read, with path and line; then nothing else is known

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
func (e *Engine) Verify(ctx context.Context, in VerifyInput) (VerifyResult, error) {
	s, err := e.findAny(ctx, in.ID)
	if err != nil {
		return VerifyResult{}, wrap(err, in.ID)
	}
	if !in.Run {
		return countBoxes(s), nil
	}
	result, err := e.verifyByRunning(ctx, s)
	return done(result, err, s.ID)
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
		r.Notes = string(verify.Nothing)
	case r.Verified:
		r.Notes = "All acceptance criteria met"
	default:
		r.Notes = fmt.Sprintf("%d criteria not yet checked", r.Criteria.Unchecked)
	}
	return r
}

// verifyByRunning checks one spec where it speaks.
func (e *Engine) verifyByRunning(ctx context.Context, s *spec.Spec) (VerifyResult, error) {
	r, err := e.judgeOf(s)
	if err != nil {
		return VerifyResult{}, err
	}
	if e.store.RunOf() == s.ID {
		report, err := r.CheckHere(ctx, e.repo.Dir(), s)
		return told(s, report, err)
	}
	commit, err := e.commitOf(ctx, s)
	if err != nil {
		return VerifyResult{}, err
	}
	report, err := r.CheckAt(ctx, commit, s)
	return told(s, report, err)
}

// judgeOf is a run that only judges a spec, or asks about it.
func (e *Engine) judgeOf(s *spec.Spec) (*run.Run, error) {
	h, err := run.ReadHistory(e.store, s.ID)
	if err != nil {
		return nil, err
	}
	if s.Branch == "" {
		h.Trusted = nil // what has landed, or was never begun, speaks for itself
	}
	id, err := e.runID()
	r := e.newRun(run.Job{ID: s.ID, Title: s.Title, Branch: s.Branch, RunID: id}, &held{history: h}, e.settings())
	r.Cache = e.store.Evidence()
	return r, err
}

// commitOf is where a spec speaks: the tip of its run's branch, else of the target, or
// what is checked out where there is no target, as on a CI machine.
func (e *Engine) commitOf(ctx context.Context, s *spec.Spec) (string, error) {
	if s.Branch != "" {
		return e.repo.Resolve(ctx, "refs/heads/"+s.Branch)
	}
	target, err := e.targetFor(ctx, s)
	if head, headErr := e.repo.Head(ctx, e.repo.Home()); err != nil && headErr == nil && head.Branch == "" {
		return head.Hash, nil
	}
	if err != nil {
		return "", err
	}
	return e.repo.Resolve(ctx, "refs/heads/"+target)
}

// told turns a report into a result. A tree that the criteria themselves have changed
// proves nothing, which is an answer and no error.
func told(s *spec.Spec, report verify.Report, err error) (VerifyResult, error) {
	r := VerifyResult{
		SpecID: s.ID, Unchecked: []string{}, Path: s.Doc.Path(), At: report.At, Commit: report.Commit, Tree: report.Tree,
		Environment: report.Environment, Verdicts: report.Criteria,
	}
	for _, v := range report.Criteria {
		r.count(v.Holds, v.Text)
	}
	r = r.judge()
	r.Status = verify.Sum(report.Criteria)
	if r.Criteria.Unchecked > 0 {
		r.Notes = run.Unheld(r.Criteria.Unchecked, r.Criteria.Total)
	}
	var f *run.Failure
	if errors.As(err, &f) && f.Kind.FailsVerification() {
		r.Verified, r.Status, r.Notes = false, verify.Failed, f.Message
		err = nil
	}
	return r, err
}

// checksAt are the project's checks as a commit has them.
func (e *Engine) checksAt(ctx context.Context, commit string) (spec.Checks, error) {
	src, err := e.repo.ReadFile(ctx, commit, store.ConfigPath)
	if errors.Is(err, gitops.ErrNotFound) {
		return e.config.Verify, nil // .chant is not in git, or was not yet
	}
	if err != nil {
		return spec.Checks{}, err
	}
	c := defaultConfig(e.Home())
	err = c.read(src, e.Home())
	return c.Verify, err
}
