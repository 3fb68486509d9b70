package elsewhere

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/work"
	"chant/engine/work/node"
	"chant/engine/work/node/mirror"
)

// claimed returns the claim on a spec that another machine works on or has worked on; its ID is "" if there is none. A
// clone whose claims no process fetches all the time fetches them first.
func claimed(ctx context.Context, p *engine.Project, text string) (fleet.Claim, error) {
	var none fleet.Claim
	if !fleet.TakesPart(p.Repo, p.Config.Fleet.URL) {
		return none, nil
	}
	id, err := engine.Find(ctx, p, text)
	if err != nil {
		return none, err
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil || s.Branch != "" {
		return none, err
	}
	if _, held := p.Store.Holder(id); held {
		return none, nil
	}
	if !mirror.IsMirrored(p) {
		if _, _, err := node.Fetch(ctx, p); err != nil {
			engine.Warn(p, id, "what the fleet does with it is as it was fetched last: "+err.Error())
		}
	}
	return advice.LookElsewhere(ctx, p, &s.Spec)[id], nil
}

// party is a connection to the fleet, for one request about one spec.
type party struct {
	p      *engine.Project
	broker fleet.Broker
	remote *fleet.Remote
	node   string // of this clone
	id     string

	again, patience time.Duration // between two looks, and altogether
}

// The times of a request.
const (
	again    = 2 * time.Second
	patience = time.Minute
)

// connect connects to the fleet for a request.
func connect(ctx context.Context, p *engine.Project, id string) (*party, error) {
	b, m, err := node.Connect(ctx, p)
	if err != nil {
		return nil, err
	}
	r, err := node.InRemote(ctx, p, *m)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return &party{p: p, broker: b, remote: r, node: m.Node, id: id, again: again, patience: patience}, nil
}

// ask sends a command to the machine that works on the spec, again and again, until its claim shows that it has done
// what it was asked to. Errors: State for a machine that is gone, and where commands may not be sent; Conflict for one
// that does not do it in time.
func (q *party) ask(ctx context.Context, c fleet.Command, done func(fleet.Held) bool) (fleet.Held, error) {
	c.Spec, c.By = q.id, q.node
	late := q.p.After(q.patience)
	for {
		now, err := q.remote.Claim(ctx, q.id)
		if err != nil || done(now) {
			return now, err
		}
		if err := q.send(ctx, c, now.Worker); err != nil {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, ctx.Err()
		case <-late:
			return now, engine.Fail(engine.Conflict, next.FleetStatus.On(), "machine %q has not done within %s what it was asked to", now.Worker, q.patience)
		case <-q.p.After(q.again):
		}
		if err := q.remote.Fetch(ctx); err != nil {
			return now, err
		}
	}
}

// send sends a command to a machine that is there.
func (q *party) send(ctx context.Context, c fleet.Command, worker string) error {
	nodes, err := q.broker.Nodes(ctx)
	if err != nil {
		return err
	}
	there := false
	for _, n := range nodes {
		there = there || n.Name == worker
	}
	if !there {
		return engine.Fail(engine.State, next.FleetStatus.On(), "machine %q, which works on spec %q, is not there now; another one will take it over", worker, q.id)
	}
	c.Node = worker
	err = q.broker.Command(ctx, c)
	if fleet.IsForbidden(err) {
		return engine.Fail(engine.State, next.FleetStatus.On(), "spec %q is worked on by machine %q, and only the hub of the fleet may ask it to %s: this clone has the credentials of a worker", q.id, worker, c.Order)
	}
	return err
}

// statusOf returns the status of a spec after its run elsewhere.
func (q *party) statusOf(ctx context.Context, c fleet.Held) (spec.Status, error) {
	s, err := q.p.Store.Get(ctx, q.id)
	if err != nil {
		return "", err
	}
	if c.Hash == "" { // it has landed
		return spec.Completed, nil
	}
	return advice.Elsewhere{q.id: c.Claim}.As(&s.Spec).Status, nil
}

// close ends the connection.
func (q *party) close(err error) error {
	if closing := q.broker.Close(); closing != nil && err == nil {
		return fmt.Errorf("the connection to the queue: %w", closing)
	}
	return err
}

// Pause pauses the run of a spec, wherever it is, and returns when it has ended. Its work stays on its branch. Errors: as
// work.Pause; State for a machine that is gone, and where commands may not be sent; Conflict for one that does not answer.
func Pause(ctx context.Context, p *engine.Project, in work.PauseInput) (engine.StateResult, error) {
	c, err := claimed(ctx, p, in.ID)
	if err != nil || c.State != fleet.Working {
		return work.Pause(ctx, p, in)
	}
	if err := engine.MayInside(p, "pause", c.ID); err != nil {
		return engine.StateResult{}, err
	}
	result, err := pause(ctx, p, c.ID)
	return engine.Done(result, err, c.ID)
}

func pause(ctx context.Context, p *engine.Project, id string) (engine.StateResult, error) {
	q, err := connect(ctx, p, id)
	if err != nil {
		return engine.StateResult{}, err
	}
	result, err := q.pause(ctx)
	return result, q.close(err)
}

// pause has the machine that works on the spec pause it.
func (q *party) pause(ctx context.Context) (engine.StateResult, error) {
	now, err := q.ask(ctx, fleet.Command{Order: fleet.Stop}, func(c fleet.Held) bool { return c.State != fleet.Working })
	if err != nil {
		return engine.StateResult{}, err
	}
	status, err := q.statusOf(ctx, now)
	return engine.StateResult{ID: q.id, Status: status, Commit: now.Tip}, err
}
