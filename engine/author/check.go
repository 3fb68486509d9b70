package author

import (
	"context"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// CheckInput names one criterion and says whether to tick or untick its box.
type CheckInput struct {
	ID        string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Criterion string `json:"criterion" jsonschema:"Criterion ID or number"`
	Uncheck   bool   `json:"uncheck,omitempty" jsonschema:"Untick instead of tick"`
}

// CheckResult is the criterion after the change.
type CheckResult struct {
	ID        string         `json:"id"`
	Criterion spec.Criterion `json:"criterion"`
	Open      int            `json:"open"` // boxes still open
}

// Check ticks or unticks the box of one criterion. It refuses a criterion with a
// command, whose box is the result of running that, and every criterion of a
// completed spec. Errors: NotFound for an unknown criterion, State if it is refused.
func Check(ctx context.Context, p *engine.Project, in CheckInput) (CheckResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return CheckResult{}, engine.Wrap(err, in.ID)
	}
	if engine.InOwnCopy(p, "check", id) {
		result, err := checkInRun(ctx, p, id, in)
		return engine.Done(result, err, id)
	}
	return advice.WithHold(ctx, p, id, "check", func(h *engine.Held) (CheckResult, error) { return checkHeld(ctx, p, in, h) })
}

func checkInRun(ctx context.Context, p *engine.Project, id string, in CheckInput) (CheckResult, error) {
	in.ID = id
	doc, err := engine.Rewrite(ctx, p, id, in.apply)
	if err != nil {
		return CheckResult{}, err
	}
	return in.result(id, doc), nil
}

func checkHeld(ctx context.Context, p *engine.Project, in CheckInput, h *engine.Held) (CheckResult, error) {
	in.ID = h.ID
	s, err := p.Store.Get(ctx, h.ID)
	if err != nil {
		return CheckResult{}, err
	}
	if s.Status == spec.Completed {
		return CheckResult{}, engine.Fail(engine.State, undoStep(&s.Spec), "spec %q is completed; its criteria were judged", s.ID)
	}
	word := "check"
	if in.Uncheck {
		word = "uncheck"
	}
	out, err := p.Store.Transition(ctx, store.Change{ID: h.ID, Word: word, Edit: in.apply})
	if err != nil {
		return CheckResult{}, err
	}
	return in.result(h.ID, out.Spec.Doc), nil
}

// undoStep returns the next step for a completed spec: if its run has not landed, that can be dropped.
func undoStep(s *spec.Spec) next.Step {
	if s.Branch == "" || s.Landed {
		return next.Show.On(s.ID)
	}
	return next.Reset.On(s.ID)
}

// apply ticks or unticks the box in a document.
func (in CheckInput) apply(doc *markdown.Document) (*markdown.Document, error) {
	c, ok := in.find(doc)
	switch {
	case !ok:
		return nil, engine.Fail(engine.NotFound, next.Show.On(in.ID), "spec %q has no criterion %q", in.ID, spec.Echo(in.Criterion))
	case c.Runs():
		return nil, engine.Fail(engine.State, next.Verify.On(in.ID), "criterion %d is checked by running `%s`; its box is a result", c.Number, strings.Join(c.Commands, "`, `"))
	}
	return spec.Check(doc, map[string]bool{c.ID: !in.Uncheck})
}

func (in CheckInput) find(doc *markdown.Document) (spec.Criterion, bool) {
	number, err := strconv.Atoi(in.Criterion)
	for _, c := range spec.Criteria(doc) {
		if c.ID == in.Criterion || err == nil && c.Number == number {
			return c, true
		}
	}
	return spec.Criterion{}, false
}

func (in CheckInput) result(id string, doc *markdown.Document) CheckResult {
	r := CheckResult{ID: id}
	r.Criterion, _ = in.find(doc)
	for _, c := range spec.Criteria(doc) {
		if !c.Checked && !c.Runs() {
			r.Open++
		}
	}
	return r
}
