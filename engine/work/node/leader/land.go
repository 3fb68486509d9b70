package leader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/work"
	"chant/gitops"
)

// maxBatch is how many landings are pushed at once: few enough that what depends on them can start soon.
const maxBatch = 8

// landed is a spec that has landed in the clone, and waits for the push.
type landed struct {
	fleet.Done
	merge string
	began time.Time
}

// land lands what workers have completed, in order, and pushes it. It returns how many have landed in the remote. Error:
// fleet.ErrLost if the remote has changed meanwhile.
func (l *Leader) land(ctx context.Context) (int, error) {
	claims, err := l.Remote.Claims(ctx)
	if err != nil {
		l.warnOnce("", err.Error())
	}
	var done []landed
	for _, c := range sortCompleted(claims, l.order) {
		// Few enough that specs which depend on these can start soon.
		if ctx.Err() != nil || len(done) == maxBatch {
			break
		}
		began := l.P.Now()
		one, err := l.landOne(ctx, c)
		if err != nil {
			if ctx.Err() == nil {
				engine.Warn(l.P, c.ID, "not landed now: "+err.Error())
			}
			continue
		}
		if one == nil {
			l.trace(c.Claim, fleet.Land, began, fleet.WasRefused)
			continue
		}
		one.began = began
		done = append(done, *one)
	}
	if len(done) == 0 {
		return 0, nil
	}
	return len(done), l.publish(ctx, done)
}

// sortCompleted sorts the completed claims by when they were seen first, and forgets those that are gone.
func sortCompleted(claims map[string]fleet.Held, seen map[string]int) []fleet.Held {
	// What is gone loses its place, so that a new attempt lines up again.
	maps.DeleteFunc(seen, func(id string, _ int) bool { return claims[id].State != fleet.Completed })
	last := 0
	for _, n := range seen {
		last = max(last, n)
	}
	var out []fleet.Held
	for _, id := range slices.Sorted(maps.Keys(claims)) {
		if claims[id].State != fleet.Completed {
			continue
		}
		if seen[id] == 0 {
			last++
			seen[id] = last
		}
		out = append(out, claims[id])
	}
	slices.SortFunc(out, func(a, b fleet.Held) int { return cmp.Compare(seen[a.ID], seen[b.ID]) })
	return out
}

// landOne lands a completed branch in the clone. What the gate refuses is settled in the remote, and is nil.
func (l *Leader) landOne(ctx context.Context, c fleet.Held) (*landed, error) {
	tip, err := l.Remote.Branch(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	d := fleet.Done{Held: c, Branch: tip}
	// What the claim says was completed is what lands; the branch may have been pushed to since.
	if tip == "" || tip != c.Tip {
		return nil, l.refuse(ctx, d, c.Tip, fmt.Sprintf("branch %q of the remote is at %q, and its claim says %q", l.Remote.Prefix+c.ID, tip, c.Tip), spec.ReasonForeign)
	}
	if there, err := l.P.Repo.IsAncestor(ctx, tip, "HEAD"); err != nil || there {
		// A person has merged it, or a leader that died before it removed the claim.
		return &landed{Done: d}, err
	}
	if overtaken, err := l.dropOvertaken(ctx, c); err != nil || overtaken {
		return nil, err
	}
	// Whoever can push to the remote can write a claim, so it is verified before its branch gets a run here.
	why, err := l.whyForged(ctx, c)
	if err != nil {
		return nil, err
	}
	if why != "" {
		return nil, l.refuse(ctx, d, tip, why, spec.ReasonForeign)
	}
	if err := l.receive(ctx, c, tip); err != nil {
		return nil, err
	}
	result, err := work.Merge(ctx, l.P, work.MergeInput{ID: c.ID})
	if err == nil {
		return &landed{Done: d, merge: result.Landing}, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, l.refuse(ctx, d, tip, err.Error(), result.Code)
}

// receive opens a run for a branch that a worker has completed, with the evidence of the worker.
func (l *Leader) receive(ctx context.Context, c fleet.Held, tip string) error {
	_, err := advice.WithHold(ctx, l.P, c.ID, "merge", func(h *engine.Held) (struct{}, error) {
		return struct{}{}, run.Receive(ctx, l.P, h, run.Received{ID: c.ID, Tip: tip, Attempt: c.Attempt, Completed: true})
	})
	if err == nil && c.Evidence != "" {
		err = l.P.Repo.AddNote(ctx, attempt.NotesRef, tip, []byte(c.Evidence))
	}
	return err
}

// refuse settles a completed branch that must not land: its claim and its branch say why, and wait for a person.
func (l *Leader) refuse(ctx context.Context, d fleet.Done, tip, why string, code spec.ReasonCode) error {
	status := spec.NeedsAttention
	if at, err := l.P.Repo.Resolve(ctx, "refs/heads/"+l.P.Store.Branch(d.ID)); err == nil {
		// The landing has written its reason there.
		tip = at
	} else if !errors.Is(err, gitops.ErrNotFound) {
		return err
	}
	if s, err := l.P.Store.Get(ctx, d.ID); err == nil && s.Branch != "" {
		status = s.Status
	}
	engine.Warn(l.P, d.ID, "its landing was refused: "+why)
	// The remote first: it is the record, and the message only saves others from looking.
	err := l.Remote.Settle(ctx, d, tip, func(c *fleet.Claim) {
		c.State, c.Status, c.Reason = fleet.Ended, string(status), why
	})
	if err != nil {
		return err
	}
	return l.Broker.Tell(ctx, fleet.Change{Kind: fleet.Refused, ID: d.ID, Node: l.Name, Outcome: fleet.Outcome{Status: string(status), Reason: why, Code: string(code)}})
}

// publish pushes what has landed in the clone, and announces it.
func (l *Leader) publish(ctx context.Context, done []landed) error {
	target, err := l.P.Repo.Resolve(ctx, "refs/heads/"+l.Remote.Target)
	if err != nil {
		return err
	}
	var claims []fleet.Done
	for _, d := range done {
		claims = append(claims, d.Done)
	}
	notes, err := l.notesUpdate(ctx)
	if err != nil {
		return err
	}
	// Target, branches and claims move in one push, so that a landing never counts twice.
	if err := l.Remote.Publish(ctx, target, claims, notes); err != nil {
		// Refused by the server and not lost to another push, so trying again is of no use.
		if _, refused := errors.AsType[*gitops.PushRefusedError](err); refused && !errors.Is(err, fleet.ErrLost) {
			return fmt.Errorf("completed work waits, and nothing lands: %w; let the account of the hub push %q, or set fleet.land: pr", err, l.Remote.Target)
		}
		return err
	}
	for _, d := range done {
		l.trace(d.Claim, fleet.Land, d.began, fleet.WasLanded)
		l.announce(ctx, d)
	}
	return nil
}

// announce reports that a spec has landed in the remote.
func (l *Leader) announce(ctx context.Context, d landed) {
	if l.P.Progress != nil {
		text := cmp.Or(d.merge, d.Proposal, "it was on "+l.Remote.Target+" already")
		l.P.Progress(engine.Event{Time: l.P.Now(), ID: d.ID, Kind: "landed", Text: text})
	}
	if err := l.Broker.Tell(ctx, fleet.Change{Kind: fleet.Landed, ID: d.ID, Node: l.Name, Commit: d.merge, Worker: d.Worker}); err != nil {
		l.warn(ctx, "a landing is not announced: "+err.Error())
	}
}

// notesUpdate returns the change of the evidence, nil if there is none.
func (l *Leader) notesUpdate(ctx context.Context) (*gitops.RefUpdate, error) {
	here, err := l.P.Repo.Resolve(ctx, attempt.NotesRef)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	there, err := l.Remote.Notes(ctx)
	if err != nil || here == there {
		return nil, err
	}
	return &gitops.RefUpdate{Ref: attempt.NotesRef, New: here, Old: there}, nil
}

// tidy removes the claims and branches of specs that are over on the target: a person has merged, completed or cancelled
// them there, or removed them. A ref in the remote keeps the branch. A claim of a worker that is alive stays until that
// has ended. removed reports whether there were any.
func (l *Leader) tidy(ctx context.Context) (removed bool, err error) {
	claims, err := l.Remote.Claims(ctx)
	if err != nil {
		l.warnOnce("", err.Error())
	}
	tip, err := l.Remote.Tip(ctx)
	if err != nil || len(claims) == 0 {
		return false, err
	}
	nodes, err := l.Broker.Nodes(ctx)
	if err != nil {
		return false, err
	}
	for id, c := range claims {
		if c.State == fleet.Completed || c.State == fleet.Proposed {
			continue // they are looked at when they are to land
		}
		why, err := fleet.WhyOver(ctx, l.P.Store, tip, id)
		if err != nil {
			return removed, err
		}
		// A worker that is alive ends by itself once it sees the target.
		works := slices.ContainsFunc(nodes, func(n fleet.Node) bool { return n.Name == c.Worker && slices.Contains(n.Running, id) })
		if why == "" || works {
			continue
		}
		if err := l.forget(ctx, c, why); err != nil && !errors.Is(err, fleet.ErrLost) {
			return removed, err
		}
		removed = true
	}
	return removed, nil
}

// forget removes a claim and its branch.
func (l *Leader) forget(ctx context.Context, c fleet.Held, why string) error {
	d := fleet.Done{Held: c}
	var err error
	if d.Branch, err = l.Remote.Branch(ctx, c.ID); err != nil {
		return err
	}
	kept, err := l.Remote.Forget(ctx, d, tree.RescueRefs)
	if err != nil {
		return err
	}
	if kept != "" {
		kept = "; its branch is kept in the remote as " + kept
	}
	engine.Warn(l.P, c.ID, why+": its claim is removed"+kept)
	return l.Broker.Withdraw(ctx, c.ID)
}

// dropOvertaken removes a completed claim whose spec is over on the target, and reports whether it is: it must not land again.
func (l *Leader) dropOvertaken(ctx context.Context, c fleet.Held) (bool, error) {
	target, err := l.Remote.Tip(ctx)
	if err != nil {
		return false, err
	}
	why, err := fleet.WhyOver(ctx, l.P.Store, target, c.ID)
	if err != nil || why == "" {
		return false, err
	}
	return true, l.forget(ctx, c, why)
}
