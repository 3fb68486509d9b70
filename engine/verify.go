package engine

import (
	"context"
	"fmt"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/verify"
)

// VerifyInput says which spec to check, and whether its commands run.
type VerifyInput struct {
	ID  string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Run bool   `json:"run,omitempty" jsonschema:"Run the commands of criteria; otherwise boxes are counted"`
}

// VerifyResult says whether the criteria hold.
type VerifyResult struct {
	SpecID    string           `json:"spec_id"`
	Verified  bool             `json:"verified"`
	Criteria  CriteriaCount    `json:"criteria"`
	Unchecked []string         `json:"unchecked_items"`
	Notes     string           `json:"verification_notes"`
	Commit    string           `json:"commit,omitempty"`   // what was checked; empty for an uncommitted tree
	Verdicts  []verify.Verdict `json:"evidence,omitempty"` // only when commands ran
}

// CriteriaCount counts criteria by whether they hold.
type CriteriaCount struct {
	Total     int `json:"total"`
	Checked   int `json:"checked"`
	Unchecked int `json:"unchecked"`
}

// Verify checks the criteria of a spec and changes nothing. Commands run in a
// clean worktree of the commit in question: the run's branch if there is one,
// else the target. Inside the run's own worktree they run right there.
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
		r.Notes = "No acceptance criteria found"
	case r.Verified:
		r.Notes = "All acceptance criteria met"
	default:
		r.Notes = fmt.Sprintf("%d criteria not yet checked", r.Criteria.Unchecked)
	}
	return r
}

func (e *Engine) verifyByRunning(ctx context.Context, s *spec.Spec) (VerifyResult, error) {
	h, err := run.ReadHistory(e.store, s.ID)
	if err != nil {
		return VerifyResult{}, err
	}
	job, err := e.job(ctx, s, &held{history: h}, run.Job{})
	if err != nil {
		return VerifyResult{}, err
	}
	r := e.newRun(job, &held{history: h}, e.settings())
	result := VerifyResult{SpecID: s.ID, Unchecked: []string{}}
	if e.store.RunOf() == s.ID {
		result.Verdicts, err = r.CheckHere(ctx, e.repo.Dir(), s)
	} else {
		ref := "refs/heads/" + job.Target
		if s.Branch != "" {
			ref = "refs/heads/" + s.Branch
		}
		if result.Commit, err = e.repo.Resolve(ctx, ref); err == nil {
			result.Verdicts, err = r.CheckAt(ctx, result.Commit, s)
		}
	}
	if err != nil {
		return result, err
	}
	for _, v := range result.Verdicts {
		result.count(v.Holds, v.Text)
	}
	result = result.judge()
	if result.Criteria.Unchecked > 0 {
		result.Notes = fmt.Sprintf("%d criteria do not hold", result.Criteria.Unchecked)
	}
	return result, nil
}
