package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/work"
	"chant/gitops"
)

// Dispatcher is a connection to the fleet of a clone. Its methods may be called from several goroutines.
type Dispatcher struct {
	p      *engine.Project
	broker *jetstream.Broker
	remote *fleet.Remote
	done   context.CancelFunc
	ended  sync.WaitGroup

	mu      sync.Mutex // guards the fields below
	waiting map[string]chan fleet.Change

	home   sync.Mutex // held while the checkout follows the remote
	behind bool       // it has been said that the checkout cannot follow
}

// lookEvery is how often the remote is looked at without news.
const lookEvery = 5 * time.Second

// OpenDispatcher connects to the fleet in which the clone takes part. nil without an error means that it takes part in none.
func OpenDispatcher(ctx context.Context, p *engine.Project) (*Dispatcher, error) {
	if in, err := TakesPart(p); err != nil || !in {
		return nil, err
	}
	broker, m, err := Connect(ctx, p)
	if err != nil {
		return nil, err
	}
	r, err := remoteOf(ctx, p, m.Remote)
	if err != nil {
		broker.Close()
		return nil, err
	}
	d := &Dispatcher{p: p, broker: broker, remote: r, waiting: map[string]chan fleet.Change{}}
	// The stop of one command ends its wait, and the connection only with Close.
	watching, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d.done = cancel
	news, err := broker.Watch(watching)
	if err != nil {
		cancel()
		broker.Close()
		return nil, err
	}
	d.ended.Go(func() {
		for c := range news {
			d.mu.Lock()
			if to := d.waiting[c.ID]; to != nil {
				select {
				case to <- c:
				// The waiting command looks at the remote anyway.
				default:
				}
			}
			d.mu.Unlock()
		}
	})
	return d, nil
}

// OfferToFleet offers a spec to the fleet in which the clone takes part, and does not wait for anything. false means that it takes
// part in none. Errors: as Work.
func OfferToFleet(ctx context.Context, p *engine.Project, id string) (bool, error) {
	d, err := OpenDispatcher(ctx, p)
	if err != nil || d == nil {
		return false, err
	}
	s, err := p.Store.Get(ctx, id)
	if err == nil {
		err = d.offer(ctx, s)
	}
	d.Close()
	return true, err
}

// Close ends the connection. The fleet continues its work.
func (d *Dispatcher) Close() {
	d.done()
	d.broker.Close()
	d.ended.Wait()
}

// Work has the fleet work a spec, and returns when that has landed in the remote, or when a pull request is open for it;
// the checkout then follows the remote if nothing is in the way. Errors: State for a spec that the remote does not have as
// it is here, or whose work has ended before; Agent and Unverified as its run ended; that of the context, while the fleet
// goes on.
func (d *Dispatcher) Work(ctx context.Context, id string) (work.WorkResult, error) {
	s, err := d.p.Store.Get(ctx, id)
	if err != nil {
		return work.WorkResult{}, err
	}
	result := work.WorkResult{ID: id, Title: s.Title, Status: s.Status, Branch: d.p.Store.Branch(id), Target: d.remote.Target}
	if err := d.offer(ctx, s); err != nil {
		return result, err
	}
	news := make(chan fleet.Change, 1)
	d.mu.Lock()
	d.waiting[id] = news
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		delete(d.waiting, id)
		d.mu.Unlock()
	}()
	for {
		ended, err := d.readProgress(ctx, &result)
		if ended || err != nil {
			return result, err
		}
		select {
		case <-ctx.Done():
			return result, ctx.Err()
		case c := <-news:
			if c.Kind == fleet.Landed {
				result.Landing = c.Commit
			}
		case <-d.p.After(lookEvery):
		}
	}
}

// offer offers a spec that the remote has as it is here. A user who may not offer leaves that to the hub.
func (d *Dispatcher) offer(ctx context.Context, s *spec.File) error {
	if err := d.remote.Fetch(ctx); err != nil {
		return err
	}
	tip, err := d.remote.Tip(ctx)
	if err != nil {
		return err
	}
	there, err := d.p.Repo.ReadFile(ctx, tip, store.SpecPath(s.ID))
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return err
	}
	// A machine works what the remote has, so an edit that is only here would silently not count.
	if string(there) != string(s.Doc.Bytes()) {
		return engine.Fail(engine.State, next.Shell("git push %s %s", d.remote.Name, d.remote.Target), "%q of remote %q does not have spec %q as it is here: commit and push it, then the fleet can work it", d.remote.Target, d.remote.Name, s.ID)
	}
	claim, err := d.remote.Claim(ctx, s.ID)
	if err != nil || claim.Hash != "" {
		return err
	}
	err = d.broker.Offer(ctx, fleet.Entry{ID: s.ID, Commit: tip, Needs: fleet.Needs{Provider: usage.ProviderOf(d.p, &s.Spec), Labels: s.Fields.RunsOn}})
	// A worker may not offer; the hub offers whatever is ready.
	if fleet.IsForbidden(err) {
		return nil
	}
	return err
}

// readProgress reads in the remote how far a spec is.
func (d *Dispatcher) readProgress(ctx context.Context, result *work.WorkResult) (ended bool, err error) {
	if err := d.remote.Fetch(ctx); err != nil {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		// It is looked at again in a moment.
		return false, nil
	}
	claim, err := d.remote.Claim(ctx, result.ID)
	if err != nil {
		return false, err
	}
	if claim.State == fleet.Ended {
		result.Status, result.Reason, result.Attempt = spec.Status(claim.Status), claim.Reason, claim.Attempt
		return true, endError(result, claim.Worker)
	}
	if claim.State == fleet.Proposed {
		result.Status, result.PullRequest, result.Attempt = spec.Completed, claim.Proposal, claim.Attempt
		return true, nil
	}
	if claim.Hash != "" {
		result.Attempt = claim.Attempt
		return false, nil
	}
	// The claim is removed with the landing, so without one the target says how it ended.
	tip, err := d.remote.Tip(ctx)
	if err != nil {
		return false, err
	}
	s, err := d.p.Store.ReadAt(ctx, tip, result.ID)
	if err != nil || s.Status != spec.Completed {
		return false, err
	}
	result.Status, result.Landed = s.Status, true
	d.follow(ctx, tip)
	return true, nil
}

// endError is the error for a spec whose work has ended without being completed.
func endError(r *work.WorkResult, worker string) error {
	code := engine.State
	switch r.Status {
	case spec.Failed:
		code = engine.Agent
	case spec.NeedsAttention:
		code = engine.Unverified
	}
	return engine.Fail(code, next.FleetRetry.On(r.ID), "spec %q is %s on %q: %s", r.ID, r.Status, worker, r.Reason)
}

// follow moves the checkout to what has landed in the remote, if the target is checked out and nothing is in the way.
func (d *Dispatcher) follow(ctx context.Context, tip string) {
	// Several specs can land at once, and git moves a checkout once at a time.
	d.home.Lock()
	defer d.home.Unlock()
	repo := d.p.Repo
	head, err := repo.Head(ctx, repo.Home())
	if err == nil && head.Branch == d.remote.Target && head.Hash != tip {
		err = repo.FastForward(ctx, repo.Home(), tip)
	}
	if (err != nil || head.Branch != d.remote.Target) && !d.behind && ctx.Err() == nil {
		d.behind = true
		engine.Warn(d.p, "", fmt.Sprintf("what has landed is on %q of remote %q; this checkout does not follow: %v", d.remote.Target, d.remote.Name, err))
	}
}
