package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/work"
	"chant/gitops"
)

// update fetches, and moves the checkout of the target to what the remote has. A lock that a killed process has left is
// removed.
func (w *Worker) update(ctx context.Context) error {
	return w.Remote.RetryLocked(ctx, func(message string) { engine.Warn(w.P, "", message) }, w.updateOnce)
}

func (w *Worker) updateOnce(ctx context.Context) error {
	if err := w.Remote.Fetch(ctx); err != nil {
		return err
	}
	// Several slots update at once, and git moves a checkout once at a time.
	w.home.Lock()
	defer w.home.Unlock()
	repo := w.P.Repo
	there, err := w.Remote.Tip(ctx)
	if err != nil {
		return err
	}
	head, err := repo.Head(ctx, repo.Home())
	if err != nil || head.Hash == there {
		return err
	}
	if err := repo.FastForward(ctx, repo.Home(), there); err != nil {
		return fmt.Errorf("the checkout %q of a worker must follow the remote: %w", repo.Home(), err)
	}
	// The new settings may define other providers.
	if w.Providers != nil {
		now := w.Providers(ctx, w.P)
		w.mu.Lock()
		w.Node.Providers = now
		w.mu.Unlock()
	}
	return nil
}

// whyOver says why nothing is left to do for a spec on the target, "" if there may be.
func (w *Worker) whyOver(ctx context.Context, id string) (string, error) {
	target, err := w.Remote.Tip(ctx)
	if err != nil {
		return "", err
	}
	return fleet.WhyOver(ctx, w.P.Store, target, id)
}

// tip returns the tip of the branch of a run in this clone, "" if there is none.
func (w *Worker) tip(ctx context.Context, id string) (string, error) {
	tip, err := w.P.Repo.Resolve(ctx, "refs/heads/"+w.P.Store.Branch(id))
	if errors.Is(err, gitops.ErrNotFound) {
		return "", nil
	}
	return tip, err
}

// takeBranch makes the branch of a run here what it is in the remote, unless this clone has more of it. begun says that
// another worker may have begun it.
func (w *Worker) takeBranch(ctx context.Context, id, base string, begun bool) error {
	here, err := w.tip(ctx, id)
	if err != nil {
		return err
	}
	if begun || here != "" {
		if err := w.Remote.FetchAll(ctx); err != nil {
			return err
		}
	}
	there, err := w.Remote.Branch(ctx, id)
	if err != nil {
		return err
	}
	// What is here and not there was made after the last push, by this worker.
	if here != "" {
		ahead := there == here
		if there != "" && !ahead {
			if ahead, err = w.P.Repo.IsAncestor(ctx, there, here); err != nil {
				return err
			}
		}
		if ahead {
			return nil
		}
		if err := w.setAside(ctx, id, here); err != nil {
			return err
		}
	}
	if there == "" {
		return nil
	}
	nothing, err := w.P.Repo.IsAncestor(ctx, there, base)
	if err != nil || nothing {
		// Its worker died before it had begun, so there is nothing on it.
		return err
	}
	return w.P.Repo.UpdateRef(ctx, "refs/heads/"+w.P.Store.Branch(id), there, "", "chant: continue "+id)
}

// setAside drops the run of a spec in this clone, and keeps its work in the remote if that does not have it.
func (w *Worker) setAside(ctx context.Context, id, tip string) error {
	// An agent may have left files that are not committed.
	if err := w.settle(ctx, id); err != nil {
		return err
	}
	now, err := w.tip(ctx, id)
	if err != nil || now == "" {
		return err
	}
	target, err := w.Remote.Tip(ctx)
	if err != nil {
		return err
	}
	own, err := w.P.Repo.NotOnRemotes(ctx, target, now)
	if err != nil {
		return err
	}
	// In the remote, since people do not look into the clones of workers.
	if len(own) > 0 {
		ref, err := w.Remote.Keep(ctx, tree.RescueRefs+id+"/"+w.Node.Name+"-", now)
		if err != nil {
			return err
		}
		engine.Warn(w.P, id, fmt.Sprintf("another worker continued it meanwhile; what was done here is kept in the remote as %s", ref))
	}
	_, err = advice.WithHold(ctx, w.P, id, "reset", func(h *engine.Held) (struct{}, error) {
		return struct{}{}, run.SetAside(ctx, w.P, h)
	})
	return err
}

// settle ends a run whose process died, with everything that its agent has left on the branch. A run whose agent had
// ended resumes, up to its completion.
func (w *Worker) settle(ctx context.Context, id string) error {
	resumes, err := advice.WithHold(ctx, w.P, id, "work", func(h *engine.Held) (bool, error) {
		found, settled, err := work.RecoverHeld(ctx, w.P, h, false)
		return found != nil && !settled, err
	})
	if err != nil || !resumes {
		return err
	}
	_, err = work.WorkOnce(ctx, w.P, work.WorkInput{ID: id, Options: work.Options{NoMerge: true}}, w.budget)
	if err != nil && ctx.Err() == nil {
		// Its branch says how it ended.
		engine.Warn(w.P, id, "resumed after its process had died: "+err.Error())
		return nil
	}
	return err
}

// lookEvery is how often a worker looks for what is left in its clone.
const lookEvery = 30 * time.Second

// lookSoon has the worker look soon for what is left in its clone.
func (w *Worker) lookSoon() {
	select {
	case w.left <- struct{}{}:
	// A look is due already.
	default:
	}
}

// takeUp offers what an earlier process of this worker has left in the clone, once the remote can be reached.
func (w *Worker) takeUp(ctx context.Context) {
	w.dropLocks(ctx)
	// What remains wrong is tried again with each entry.
	_ = w.retryUntilReached(ctx, func() error {
		err := w.update(ctx)
		// A process that died while the checkout moved has left it half-way.
		if _, ok := errors.AsType[*gitops.ConflictError](err); ok {
			return w.repair(ctx, err)
		}
		return err
	})
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
		// A slot may be working the spec at this moment.
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
		// It was handed over since the branches were listed.
		return err
	}
	claim, err := w.Remote.Claim(ctx, id)
	if err != nil {
		return err
	}
	if claim.Hash == "" || claim.Worker != w.Node.Name || claim.State != fleet.Working {
		return w.setAside(ctx, id, tip)
	}
	// The claim is taken anew before anything is pushed: another worker may be about to take it over.
	lease, err := w.Remote.Take(ctx, fleet.Claim{ID: id, Worker: w.Node.Name, Lease: newLease(), Attempt: claim.Attempt, Base: claim.Base, Questions: claim.Questions}, claim)
	if errors.Is(err, fleet.ErrLost) {
		return w.setAside(ctx, id, tip)
	}
	if err != nil {
		return err
	}
	// Only with the claim, since settling continues the run.
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
	// Read before the push: the branch is removed right after it.
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
