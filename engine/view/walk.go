package view

import (
	"context"
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/code/weakened"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/prompt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/engine/store/touched"
	"chant/gitops"
)

// WalkInput names the spec to review.
type WalkInput struct {
	ID string `json:"id"`
}

// WalkResult is what a person looks at to review a spec and the work on it.
type WalkResult struct {
	ShowResult
	Checks  []CheckedCriterion `json:"checks"`            // each criterion and command, with its evidence
	Work    *PatchesResult     `json:"work,omitempty"`    // null if there is no work
	NoWork  string             `json:"no_work,omitempty"` // why there is none
	Touched []string           `json:"touched"`           // what the work changes that protects how work is made and judged
	Waived  []string           `json:"waived,omitempty"`  // what people have accepted or waived for it

	Weakened   []criteria.Weakened `json:"weakened"`             // checks that the work weakens
	Uncompared string              `json:"uncompared,omitempty"` // what of the work was not compared for that
}

// CheckedCriterion is a criterion, or a command of the spec or the project, with the result of the last check.
type CheckedCriterion struct {
	Text    string            `json:"text"`
	Ticked  bool              `json:"ticked"`
	Verdict *criteria.Verdict `json:"verdict,omitempty"` // null if it was not checked
}

// Walk returns what a person looks at to review a spec, which may be archived. Error: NotFound.
func Walk(ctx context.Context, p *engine.Project, in WalkInput) (WalkResult, error) {
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return WalkResult{}, engine.Wrap(err, in.ID)
	}
	r, err := walk(ctx, p, s)
	return engine.Done(r, err, s.ID)
}

func walk(ctx context.Context, p *engine.Project, s *spec.File) (WalkResult, error) {
	shown, err := show(ctx, p, s)
	if err != nil {
		return WalkResult{}, err
	}
	r := WalkResult{ShowResult: shown, Touched: []string{}, Weakened: []criteria.Weakened{}}
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		return r, err
	}
	r.Checks = checksOf(shown, h)
	d, err := Diff(ctx, p, DiffInput{ID: s.ID, Text: true})
	// A spec without work can still be reviewed.
	if failure, ok := errors.AsType[*engine.Error](err); ok && failure.Code == engine.State {
		r.NoWork = failure.Message
		return r, nil
	}
	if err != nil {
		return r, err
	}
	work := PatchesResult{ID: d.ID, From: d.From, To: d.To}
	work.Files, work.Cut = joinPatches(d.Files, string(d.Patch), maxPatches)
	r.Work = &work
	if err := r.readTouched(ctx, p, s); err != nil {
		return r, err
	}
	if err := r.readWeakened(ctx, p, s); err != nil {
		return r, err
	}
	return r, r.readWaived(ctx, p)
}

// checksOf joins the criteria of a spec with the verdicts of its completion, or else of the last attempt.
func checksOf(shown ShowResult, h *journal.History) []CheckedCriterion {
	var verdicts []criteria.Verdict
	if last := h.Last(); shown.Evidence != nil {
		verdicts = shown.Evidence.Criteria
	} else if last != nil && !last.Gone {
		verdicts = last.Report.Criteria
	}
	var out []CheckedCriterion
	used := map[int]bool{}
	for _, c := range shown.Criteria {
		one := CheckedCriterion{Text: c.Text, Ticked: c.Checked}
		if i := slices.IndexFunc(verdicts, func(v criteria.Verdict) bool { return v.ID == c.ID }); i >= 0 {
			one.Verdict, used[i] = &verdicts[i], true
		}
		out = append(out, one)
	}
	for i, v := range verdicts {
		if !used[i] {
			out = append(out, CheckedCriterion{Text: v.Text, Ticked: v.Holds, Verdict: &verdicts[i]})
		}
	}
	return out
}

// readTouched lists the protected files, settings, other specs and files that programs trust that the work changes.
func (r *WalkResult) readTouched(ctx context.Context, p *engine.Project, s *spec.File) error {
	c := touched.Commits{Repo: p.Repo, Store: p.Store}
	rules, err := c.RulesAt(ctx, r.Work.From, slices.Concat(p.Config.Verify.Protect, s.Checks().Protect))
	if err != nil {
		return err
	}
	things, err := c.Changes(ctx, r.Work.From, r.Work.To, rules)
	for _, t := range things {
		// That the work completes its own spec is what it is for.
		if t.Kind != touched.Completed || t.Path != store.SpecPath(s.ID) {
			r.Touched = append(r.Touched, t.String())
		}
	}
	return err
}

// readWeakened finds which checks the work weakens.
func (r *WalkResult) readWeakened(ctx context.Context, p *engine.Project, s *spec.File) error {
	if p.Config.Verify.Weakened == spec.WeakenedOff {
		return nil
	}
	checks, err := prompt.Checks(p)
	if err != nil {
		return err
	}
	found, err := weakened.Between(ctx, p.Repo, r.Work.From, r.Work.To, weakened.WorkOn(s, checks, p.Config.Worktree.Setup))
	r.Weakened, r.Uncompared = append(r.Weakened, found.Findings...), found.Cut
	return err
}

// readWaived lists what the complete commit says that people have accepted or waived.
func (r *WalkResult) readWaived(ctx context.Context, p *engine.Project) error {
	if r.Evidence == nil {
		return nil
	}
	c, err := p.Repo.ReadCommit(ctx, r.Evidence.Commit)
	if errors.Is(err, gitops.ErrNotFound) {
		// The evidence is that of a squashed branch, whose commits this clone does not have.
		return nil
	}
	for _, what := range message.Lines(c, message.AcceptedTrailer) {
		r.Waived = append(r.Waived, "accepted: "+what)
	}
	for _, what := range message.Lines(c, message.WaivedTrailer) {
		r.Waived = append(r.Waived, "waived: "+what)
	}
	return err
}
