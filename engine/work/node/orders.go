package node

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run/tree"
	"chant/engine/spec/next"
	"chant/gitops/lockfile"
)

// OrderInput names a machine and what it is to do.
type OrderInput struct {
	Node  string      `json:"node" jsonschema:"Name of the machine"`
	Order fleet.Order `json:"order" jsonschema:"drain, cordon or uncordon"`
}

// OrderResult names the machine that was given the order.
type OrderResult struct {
	Node  string      `json:"node"`
	Order fleet.Order `json:"order"`
}

// Order orders a machine to take nothing more and leave (drain), to take nothing more and stay (cordon), or to take specs
// again (uncordon). Error: NotFound for a machine that is not there.
func Order(ctx context.Context, p *engine.Project, in OrderInput) (OrderResult, error) {
	result, err := order(ctx, p, in)
	return engine.Done(result, err, "")
}

func order(ctx context.Context, p *engine.Project, in OrderInput) (OrderResult, error) {
	if err := engine.MayInside(p, "fleet", ""); err != nil {
		return OrderResult{}, err
	}
	b, m, err := Connect(ctx, p)
	if err != nil {
		return OrderResult{}, err
	}
	defer b.Close()
	nodes, err := b.Nodes(ctx)
	if err != nil {
		return OrderResult{}, m.problem(err)
	}
	if !slices.ContainsFunc(nodes, func(n fleet.Node) bool { return n.Name == in.Node }) {
		return OrderResult{}, engine.Fail(engine.NotFound, next.FleetStatus.On(), "no machine %q is in the fleet now", in.Node)
	}
	err = b.Command(ctx, fleet.Command{Order: in.Order, Node: in.Node, By: hostName()})
	if fleet.IsForbidden(err) {
		return OrderResult{}, engine.Fail(engine.State, next.FleetStatus.On(), "only the hub may give orders to machines (do it in the clone of the hub): this clone has the credentials of a worker")
	}
	if err != nil {
		return OrderResult{}, m.problem(err)
	}
	return OrderResult(in), nil
}

// RetryInput names a spec that a fleet has stopped working on.
type RetryInput struct {
	ID    string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Fresh bool   `json:"fresh,omitempty" jsonschema:"Begin anew instead of on the branch of the last attempt, which a rescue ref keeps"`
}

// RetryResult is the spec that will be offered again.
type RetryResult struct {
	ID   string `json:"id"`
	Kept string `json:"kept,omitempty"` // ref in the remote that keeps the branch
}

// Retry lets a fleet work on a spec again whose work has ended without a landing. Errors: NotFound without such a claim,
// State while a machine works on it.
func Retry(ctx context.Context, p *engine.Project, in RetryInput) (RetryResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return RetryResult{}, engine.Wrap(err, in.ID)
	}
	result, err := retry(ctx, p, id, in)
	return engine.Done(result, err, id)
}

func retry(ctx context.Context, p *engine.Project, id string, in RetryInput) (RetryResult, error) {
	result := RetryResult{ID: id}
	if err := engine.MayInside(p, "fleet", ""); err != nil {
		return result, err
	}
	b, m, err := Connect(ctx, p)
	if err != nil {
		return result, err
	}
	defer b.Close()
	r, err := fetchRemote(ctx, p, *m)
	if err != nil {
		return result, err
	}
	claim, err := r.Claim(ctx, id)
	if err != nil {
		return result, err
	}
	if claim.Hash == "" {
		return result, engine.Fail(engine.NotFound, next.FleetStatus.On(), "no machine of the fleet has ended the work on spec %q", id)
	}
	if claim.State != fleet.Ended {
		return result, engine.Fail(engine.State, next.FleetStatus.On(), "spec %q %s", id, whyNotEnded(claim.Claim))
	}
	tip, err := r.Branch(ctx, id)
	if err != nil {
		return result, err
	}
	d := fleet.Done{Held: claim, Branch: tip}
	if !in.Fresh {
		err = r.Settle(ctx, d, tip, func(c *fleet.Claim) { c.State, c.Reason = fleet.Returned, "a person asked for another attempt" })
	} else {
		// Also a branch on which there is nothing yet is kept.
		if d.Branch != "" {
			result.Kept, err = r.Keep(ctx, tree.RescueRefs+id+"/", d.Branch)
		}
		// Only after the branch is kept, which would be lost with its claim.
		if err == nil {
			_, err = r.Forget(ctx, d, tree.RescueRefs)
		}
	}
	if err != nil {
		return result, err
	}
	err = b.Tell(ctx, fleet.Change{Kind: fleet.PutBack, ID: id, Node: m.Node})
	// In the clone of a worker: the leader finds it in a moment.
	if fleet.IsForbidden(err) {
		err = nil
	}
	return result, err
}

// whyNotEnded says why a spec with a claim cannot be offered again.
func whyNotEnded(c fleet.Claim) string {
	switch c.State {
	case fleet.Completed:
		return "is completed, and waits for its landing"
	case fleet.Proposed:
		return "is completed, and waits for the merge of " + c.Proposal
	case fleet.Returned:
		return "is offered already"
	}
	return fmt.Sprintf("is being worked on by %q", c.Worker)
}

// DownInput says how to leave a fleet.
type DownInput struct {
	Now bool `json:"now,omitempty" jsonschema:"Stop what runs and give it back, instead of letting it end"`
}

// DownResult names the process that was asked to end, if there was one.
type DownResult struct {
	PID  int  `json:"pid,omitempty"`
	Left bool `json:"left"` // the clone takes part in no fleet any more

	Next next.Advice `json:"next,omitzero"` // how a hub with a server of its own comes back where its workers look for it
}

// Down asks the process that takes part in a fleet in this clone to end, and removes the membership of the clone. It does
// not wait for that. Errors: State where the clone takes part in none, Conflict when the process runs on another machine.
func Down(ctx context.Context, p *engine.Project, in DownInput) (DownResult, error) {
	result, err := down(ctx, p, in)
	return engine.Done(result, err, "")
}

func down(_ context.Context, p *engine.Project, in DownInput) (DownResult, error) {
	if err := engine.MayInside(p, "fleet", ""); err != nil {
		return DownResult{}, err
	}
	result := DownResult{Left: true}
	// A membership that cannot be read is left, too.
	if m, err := Member(p); err == nil && m != nil {
		result.Next = m.restartStep().Because("workers look for the hub at this address")
	}
	holder, held := lockfile.HeldBy(p.Store.LockPath(lockName))
	if !held {
		if !engine.Exists(memberPath(p)) {
			return DownResult{}, engine.Fail(engine.State, next.Guide.On("fleet"), "this clone takes part in no fleet")
		}
		return result, leave(p)
	}
	if host, err := os.Hostname(); err != nil || host != holder.Host {
		return DownResult{}, engine.Fail(engine.Conflict, next.FleetStatus.On(), "the process is at work on %s: %d", holder.Host, holder.PID)
	}
	// Before the membership is removed: if the process cannot be asked, the clone still takes part.
	if err := engine.RequestStop(p, lockName, holder, in.Now); err != nil {
		return DownResult{}, err
	}
	result.PID = holder.PID
	return result, leave(p)
}

// restartStep returns how a hub with a server of its own starts again where its workers look for it, which is forgotten when
// it leaves; zero for a worker, and for a hub that listens where one does by itself.
func (m Membership) restartStep() next.Step {
	if m.Listen == "" || m.Listen == defaultListen {
		return next.Step{}
	}
	step := next.FleetUp.On().Set("listen", m.Listen)
	if _, address, found := strings.Cut(m.Public, "://"); found {
		if host, _, err := net.SplitHostPort(address); err == nil {
			step = step.Set("host", host)
		}
	}
	return step
}
