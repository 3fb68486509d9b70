package worker

import (
	"context"
	"errors"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/spec"
	"chant/gitops"
)

// lookEvery is how often a worker looks for what is left in its clone.
const lookEvery = 30 * time.Second

// look has the worker look soon for what is left in its clone.
func (w *Worker) look() {
	select {
	case w.left <- struct{}{}:
	default: // it will
	}
}

// takeUp offers what an earlier process of this worker has left in the clone, once the remote can be reached.
func (w *Worker) takeUp(ctx context.Context) {
	w.dropLocks(ctx)
	_ = w.untilReached(ctx, func() error {
		err := w.update(ctx)
		if _, ok := errors.AsType[*gitops.ConflictError](err); ok {
			return w.repair(ctx, err)
		}
		return err
	}) // what remains wrong is tried again with each entry
	w.takeUpLeft(ctx)
}

// dropLocks removes the locks that killed git processes have left in the clone.
func (w *Worker) dropLocks(ctx context.Context) {
	removed, err := w.Remote.DropLocks(ctx, w.P.Now())
	for _, path := range removed {
		engine.Warn(w.P, "", "a lock that a killed process has left was removed: "+path)
	}
	if err != nil && ctx.Err() == nil {
		engine.Warn(w.P, "", "locks that killed processes have left: "+err.Error())
	}
}

// repair brings the checkout in order, which an earlier process may have brought half to the target when it died. why
// is what is wrong with it.
func (w *Worker) repair(ctx context.Context, why error) error {
	w.home.Lock()
	defer w.home.Unlock()
	there, err := w.Remote.Tip(ctx)
	if err != nil {
		return err
	}
	done, err := w.Remote.Repair(ctx, there)
	if err == nil && !done {
		return why
	}
	if err == nil {
		engine.Warn(w.P, "", "the checkout was brought back to the remote: "+why.Error())
	}
	return err
}

// keepTakingUp offers what is left in the clone by runs that could not be handed over, until taking ends.
func (w *Worker) keepTakingUp(ctx, taking context.Context) {
	for {
		select {
		case <-taking.Done():
			return
		case <-w.left:
		case <-w.P.After(lookEvery):
		}
		w.takeUpLeft(ctx)
	}
}

// takeUpLeft pushes the branches in the clone on which nothing runs and whose claims are still its own, and sets the
// others aside.
func (w *Worker) takeUpLeft(ctx context.Context) {
	prefix := w.P.Store.Branch("")
	left, err := w.P.Repo.Branches(ctx, prefix)
	if err != nil || len(left) == 0 {
		w.warnLeft(ctx, "", err)
		return
	}
	if err := w.Remote.FetchAll(ctx); err != nil {
		w.warnLeft(ctx, "", err)
		return
	}
	for _, b := range left {
		id := strings.TrimPrefix(b.Name, prefix)
		ctx, cancel := context.WithCancelCause(ctx)
		if w.begin(id, cancel) {
			w.warnLeft(ctx, id, w.takeUpOne(ctx, id, b.Hash))
			w.finish(id)
		}
		cancel(nil)
	}
}

func (w *Worker) warnLeft(ctx context.Context, id string, err error) {
	if err != nil && ctx.Err() == nil {
		engine.Warn(w.P, id, "what a run has left stays in this clone for now: "+err.Error())
	}
}

func (w *Worker) takeUpOne(ctx context.Context, id, tip string) error {
	if now, err := w.tip(ctx, id); err != nil || now == "" {
		return err // it was handed over since the branches were listed
	}
	claim, err := w.Remote.Claim(ctx, id)
	if err != nil {
		return err
	}
	if claim.Hash == "" || claim.Worker != w.Node.Name || claim.State != fleet.Working {
		return w.setAside(ctx, id, tip)
	}
	lease, err := w.Remote.Take(ctx, fleet.Claim{ID: id, Worker: w.Node.Name, Lease: newLease(), Attempt: claim.Attempt, Base: claim.Base, Questions: claim.Questions}, claim)
	if errors.Is(err, fleet.ErrLost) {
		return w.setAside(ctx, id, tip)
	}
	if err != nil {
		return err
	}
	if err := w.settle(ctx, id); err != nil {
		return err
	}
	if tip, err = w.tip(ctx, id); err != nil || tip == "" {
		return err
	}
	s, err := w.P.Store.Get(ctx, id)
	if err != nil {
		return err
	}
	evidence := w.evidence(ctx, tip)
	err = lease.Push(ctx, tip, func(c *fleet.Claim) {
		c.State, c.Status, c.Reason = fleet.Returned, string(s.Status), "its worker was interrupted"
		if s.Status == spec.Completed {
			c.State, c.Evidence = fleet.Completed, evidence
		}
	})
	if errors.Is(err, fleet.ErrLost) {
		return w.setAside(ctx, id, tip)
	}
	if err != nil {
		return err
	}
	return w.handOver(ctx, id, tip)
}
