package advice

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/local"
	"chant/gitops"
	"chant/gitops/lockfile"
)

// WithHold resolves an id, takes the lock of the spec's run, calls do and releases the
// lock. The result is returned also with an error. The error is an *Error with the next
// step that status and diagnose name; State inside the spec's own run for an operation
// that is not allowed there.
func WithHold[R any](ctx context.Context, p *engine.Project, text, what string, do func(*engine.Held) (R, error)) (R, error) {
	var none R
	id, err := engine.Find(ctx, p, text)
	if err != nil {
		return none, engine.Wrap(err, text)
	}
	// Before the lock, which the run around this process holds.
	if err := engine.MayInside(p, what, id); err != nil {
		return none, err
	}
	h, err := engine.Hold(ctx, p, id, what)
	if err != nil {
		return none, pauseFirst(engine.Wrap(err, id), id, what)
	}
	result, err := do(h)
	// Checked first, since in a moved repository every other error only follows from that.
	if err != nil && p.Repo.Gone() {
		return none, movedError(p, id, errors.Join(err, h.Release()))
	}
	// The lock is released before the next step is looked for, which would take the operation itself for a live run.
	result, err = engine.Done(result, withNextStep(ctx, p, id, what, errors.Join(err, h.Release())), id)
	return result, engine.WithCommitFirst(ctx, p, err)
}

// WithAllHeld does something while it holds these specs. Errors: Conflict while another process holds one of them.
func WithAllHeld[R any](ctx context.Context, p *engine.Project, ids []string, what string, do func([]*engine.Held) (R, error)) (result R, err error) {
	var held []*engine.Held
	defer func() {
		for _, h := range held {
			err = errors.Join(err, h.Release())
		}
		err = engine.WithCommitFirst(ctx, p, err)
	}()
	// In one order, so that two processes that hold several do not wait for each other.
	for _, id := range slices.Sorted(slices.Values(ids)) {
		h, err := engine.Hold(ctx, p, id, what)
		if err != nil {
			return result, pauseFirst(engine.Wrap(err, id), id, what)
		}
		held = append(held, h)
	}
	return do(held)
}

// movedError is the error for an operation whose repository was moved or removed meanwhile. The shell of the person, and this
// process, are in the folder that was moved: that is how its new place is known.
func movedError(p *engine.Project, id string, err error) error {
	moved := &local.GoneError{Home: engine.Home(p)}
	known := engine.Fail(engine.Conflict, next.Step{}, "%s while %q was being worked", moved, id)
	known.Err = err
	// The working directory follows a moved folder, so it gives the new path.
	dir, getErr := os.Getwd()
	if getErr != nil {
		return known
	}
	if repo, openErr := gitops.Open(dir); openErr == nil && repo.Home() != moved.Home {
		known.Message = fmt.Sprintf("the repository %q was moved to %q while %q was being worked; what its agent has left is there", moved.Home, repo.Home(), id)
		known.Next = next.Work.On(id).After(fmt.Sprintf("cd %q", repo.Home()))
	}
	return known
}

// pauseFirst names, for an operation that needs a live run to have stopped, the one that stops it.
func pauseFirst(err error, id, what string) error {
	held, ok := errors.AsType[*lockfile.HeldError](err)
	if !ok || engine.RoleOf(held.Holder) != lockfile.Works || !slices.Contains([]string{"archive", "cancel", "edit", "reset", "update"}, what) {
		return err
	}
	known := engine.Fail(engine.Conflict, next.Pause.On(id), "%s; pause the run first", err)
	known.Err = err
	return known
}

// withNextStep sets the next step of an error about a spec to the one that status and diagnose name.
func withNextStep(ctx context.Context, p *engine.Project, id, what string, err error) error {
	if err == nil {
		return nil
	}
	known, ok := errors.AsType[*engine.Error](engine.Wrap(err, id))
	if !ok || !isAboutRun(err) {
		return err
	}
	// Also after a stop, whose error has to name a step, too.
	calm := context.WithoutCancel(ctx)
	_, g, graphErr := engine.GraphAround(calm, p, id)
	if graphErr != nil || g.Spec(id) == nil {
		return known
	}
	l, lookErr := Gather(calm, p, g, g.Spec(id))
	step := l.Conclude().Next
	if lookErr != nil || step.IsZero() {
		return known
	}
	f, ok := errors.AsType[*journal.Failure](err)
	if ok && !f.Next.IsZero() && (!l.next(next.Step{}).Equal(f.Next) || step.Equal(next.Work.On(id))) {
		// The failure names the next step itself, because another attempt would fail in the same way.
		return known
	}
	if tried := next.Op(what); tried != next.Work && step.Equal(tried.On(id)) {
		step = next.Edit.On(id) // that step was just tried, and would fail again
	}
	known.Next = step
	return known
}

// isAboutRun reports whether an error is about the state of a spec or its run.
func isAboutRun(err error) bool {
	_, failed := errors.AsType[*journal.Failure](err)
	_, state := errors.AsType[*spec.StateError](err)
	return failed || state
}
