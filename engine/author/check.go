package author

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/format/adopted"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/markdown"
)

// CheckInput names one criterion and says whether to tick or untick its box.
type CheckInput struct {
	ID        string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Criterion string `json:"criterion" jsonschema:"Criterion ID or number, or of an adopted folder its own id, such as T001"`
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
	// Inside its own run, the run commits what changes.
	if engine.AppliesToOwnCopy(p, "check", id) {
		result, err := checkInRun(ctx, p, id, in)
		return engine.Done(result, err, id)
	}
	return advice.WithHold(ctx, p, id, "check", func(h *engine.Held) (CheckResult, error) { return checkHeld(ctx, p, in, h) })
}

// checkTries limits how often a tick is repeated.
const checkTries = 100

// checkInRun ticks the box in the run's copy. If the agent writes the file at the same time, it starts again.
func checkInRun(ctx context.Context, p *engine.Project, id string, in CheckInput) (CheckResult, error) {
	in.ID = id
	for try := 1; ; try++ {
		s, c, err := in.get(ctx, p)
		if err != nil {
			return CheckResult{}, err
		}
		if c.InSource() {
			_, err = store.WriteSource(ctx, p.Store, id, c.File, in.tick(c))
		} else {
			_, err = engine.Rewrite(ctx, p, id, func(doc *markdown.Document) (*markdown.Document, error) { return in.apply(s.WithDoc(doc)) })
		}
		// The agent writes the file at the same time.
		if _, changed := errors.AsType[*store.ChangedError](err); changed && try < checkTries && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return CheckResult{}, err
		}
		return in.result(ctx, p)
	}
}

func checkHeld(ctx context.Context, p *engine.Project, in CheckInput, h *engine.Held) (CheckResult, error) {
	in.ID = h.ID
	s, c, err := in.get(ctx, p)
	if err != nil {
		return CheckResult{}, err
	}
	// Its boxes are part of what was judged.
	if s.Status == spec.Completed {
		return CheckResult{}, engine.Fail(engine.State, undoStep(&s.Spec), "spec %q is completed; its criteria were judged", s.ID)
	}
	word := "check"
	if in.Uncheck {
		word = "uncheck"
	}
	// A box of an adopted folder is in a file of that folder.
	if c.InSource() {
		_, err = store.EditSource(ctx, p.Store, h.ID, c.File, message.Commit{ID: h.ID, Event: word}.String(), in.tick(c))
	} else {
		_, err = p.Store.Transition(ctx, store.Change{ID: h.ID, Word: word, Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			return in.apply(s.WithDoc(doc))
		}})
	}
	if err != nil {
		return CheckResult{}, err
	}
	return in.result(ctx, p)
}

// get reads the spec and the criterion that is named, which must have a box to tick.
func (in CheckInput) get(ctx context.Context, p *engine.Project) (*spec.File, spec.Criterion, error) {
	s, err := p.Store.Get(ctx, in.ID)
	if err != nil {
		return nil, spec.Criterion{}, err
	}
	c, err := in.find(s)
	return s, c, err
}

// tick ticks or unticks the box of a criterion in its file of an adopted folder.
func (in CheckInput) tick(c spec.Criterion) func([]byte) ([]byte, error) {
	return func(src []byte) ([]byte, error) {
		ticked, err := adopted.Tick(src, c, !in.Uncheck)
		if errors.Is(err, adopted.ErrGone) {
			return nil, engine.Fail(engine.Conflict, next.Show.On(in.ID), "criterion %d is no longer in %q: %s", c.Number, c.File, spec.Echo(c.Text))
		}
		return ticked, err
	}
}

// undoStep returns the next step for a completed spec: if its run has not landed, that can be dropped.
func undoStep(s *spec.Spec) next.Step {
	// Work that has landed cannot be dropped.
	if s.Branch == "" || s.Landed {
		return next.Show.On(s.ID)
	}
	return next.Reset.On(s.ID)
}

// apply ticks or unticks the criterion in the spec's own document.
func (in CheckInput) apply(s *spec.File) (*markdown.Document, error) {
	c, err := in.find(s)
	if err != nil {
		return nil, err
	}
	return s.Tick(map[string]bool{c.ID: !in.Uncheck})
}

// find returns the criterion with this id, number or key.
func (in CheckInput) find(s *spec.File) (spec.Criterion, error) {
	number, err := strconv.Atoi(in.Criterion)
	for _, c := range s.Criteria() {
		// An empty text would match a criterion that has no key.
		if c.ID != in.Criterion && !strings.EqualFold(c.Key, in.Criterion) && (err != nil || c.Number != number) || in.Criterion == "" {
			continue
		}
		// A person's tick would not be a result.
		if c.Runs() {
			return c, engine.Fail(engine.State, next.Verify.On(in.ID), "criterion %d is checked by running `%s`; its box is a result", c.Number, strings.Join(c.Commands, "`, `"))
		}
		return c, nil
	}
	return spec.Criterion{}, engine.Fail(engine.NotFound, next.Show.On(in.ID), "spec %q has no criterion %q", in.ID, spec.Echo(in.Criterion))
}

func (in CheckInput) result(ctx context.Context, p *engine.Project) (CheckResult, error) {
	s, c, err := in.get(ctx, p)
	r := CheckResult{ID: in.ID, Criterion: c}
	if err != nil {
		return r, err
	}
	for _, c := range s.Criteria() {
		// Commands decide the others.
		if !c.Checked && !c.Runs() {
			r.Open++
		}
	}
	return r, nil
}
