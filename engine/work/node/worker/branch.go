package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/tree"
	"chant/engine/work"
	"chant/gitops"
)

// update fetches, and moves the checkout of the target to what the remote has. A lock that a killed process has left is
// removed.
func (w *Worker) update(ctx context.Context) error {
	return w.Remote.Unlocking(ctx, func(message string) { engine.Warn(w.P, "", message) }, w.updateOnce)
}

func (w *Worker) updateOnce(ctx context.Context) error {
	if err := w.Remote.Fetch(ctx); err != nil {
		return err
	}
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
	if w.Providers != nil {
		now := w.Providers(ctx, w.P)
		w.mu.Lock()
		w.Node.Providers = now
		w.mu.Unlock()
	}
	return nil
}

// over says why nothing is left to do for a spec on the target, "" if there may be.
func (w *Worker) over(ctx context.Context, id string) (string, error) {
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
		return err // its worker died before it had begun: there is nothing on it
	}
	return w.P.Repo.UpdateRef(ctx, "refs/heads/"+w.P.Store.Branch(id), there, "", "chant: continue "+id)
}

// setAside drops the run of a spec in this clone, and keeps its work in the remote if that does not have it.
func (w *Worker) setAside(ctx context.Context, id, tip string) error {
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
	if len(own) > 0 {
		ref := fmt.Sprintf("%s%s/%s-%.12s", tree.RescueRefs, id, w.Node.Name, now)
		if err := w.Remote.Keep(ctx, ref, now); err != nil {
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
		engine.Warn(w.P, id, "resumed after its process had died: "+err.Error()) // its branch says how it ended
		return nil
	}
	return err
}

// leaseBox has the claim of a job, once it is taken.
type leaseBox struct {
	mu    sync.Mutex
	lease *fleet.Lease
}

func (b *leaseBox) set(l *fleet.Lease) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lease = l
}

func (b *leaseBox) get() *fleet.Lease {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lease
}
