package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"chant/gitops"
)

// Lease is a claim that this process holds.
type Lease struct {
	remote *Remote

	mu     sync.Mutex // guards the fields below, and is held by a push
	held   Held
	branch string   // the tip of the branch in the remote, "" = it has none
	unsure []change // by pushes that ended without an answer of the remote
}

// change is what a push makes of a claim and its branch.
type change struct {
	held   Held
	branch string
}

// Take claims a spec for a worker in place of the claim from, if there was one, and of the branch that was fetched. A
// branch that does not exist is made at base. Error: ErrLost if another worker was faster.
func (r *Remote) Take(ctx context.Context, c Claim, from Held) (*Lease, error) {
	tip, err := r.Branch(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	l := &Lease{remote: r, held: from, branch: tip}
	c.State, c.Count, c.Tip = Working, 0, tip
	if tip == "" {
		c.Tip = c.Base
	}
	return l, l.push(ctx, c, c.Tip)
}

// Push brings the branch to its new tip, and the claim to what change makes of it. Error: ErrLost if another
// worker has taken the spec over.
func (l *Lease) Push(ctx context.Context, tip string, change func(*Claim)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.held.Claim
	c.Count++
	c.Tip = tip
	change(&c)
	return l.push(ctx, c, tip)
}

// PushedTip returns the tip of the branch in the remote.
func (l *Lease) PushedTip() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.branch
}

// Claim returns the claim as it was pushed last.
func (l *Lease) Claim() Claim {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held.Claim
}

// push changes the claim and its branch. l is locked, or nothing else has it yet.
func (l *Lease) push(ctx context.Context, c Claim, tip string) error {
	if err := l.sign(&c); err != nil {
		return err
	}
	content, err := c.Bytes()
	if err != nil {
		return err
	}
	// The claim's blob is pushed by its hash, which also shows later whether the push arrived.
	hash, err := l.remote.Repo.WriteBlob(ctx, content)
	if err != nil {
		return err
	}
	to := change{Held{c, hash}, tip}
	err = l.pushOnce(ctx, to)
	for tries := 0; errors.Is(err, ErrLost); tries++ {
		if tries == maxLocked {
			return fmt.Errorf("the remote does not change %q: %s", ClaimRef(c.ID), err)
		}
		// A push without an answer may have succeeded, so the remote is asked before the claim counts as lost.
		if err = l.lookAgain(ctx, c.ID, err); err == nil && l.held.Hash != hash {
			err = l.pushOnce(ctx, to)
		} else if errors.Is(err, ErrLost) {
			return err
		}
	}
	_, refused := errors.AsType[*gitops.PushRefusedError](err)
	switch {
	case err == nil:
		l.held, l.branch, l.unsure = to.held, to.branch, nil
	// The connection broke, so it is unknown whether the remote has made this change.
	case !refused:
		l.unsure = append(l.unsure, to)
	}
	return err
}

// sign signs a claim, so that others know who has pushed it: the remote does not.
func (l *Lease) sign(c *Claim) (err error) {
	if c.Signature = ""; l.remote.Sign == nil {
		return nil
	}
	text, err := c.SignedText()
	if err == nil {
		c.Signature, err = l.remote.Sign(text)
	}
	return err
}

// maxLocked is how often a push is tried that finds the remote as expected and yet is refused.
const maxLocked = 5

func (l *Lease) pushOnce(ctx context.Context, to change) error {
	updates := []gitops.RefUpdate{{Ref: ClaimRef(to.held.ID), New: to.held.Hash, Old: l.held.Hash}}
	// Both in one atomic push: with the claim lost, the branch cannot be pushed either.
	if to.branch != l.branch {
		updates = append(updates, gitops.RefUpdate{Ref: "refs/heads/" + l.remote.Prefix + to.held.ID, New: to.branch, Old: l.branch})
	}
	return l.remote.push(ctx, updates...)
}

// lookAgain finds out whether the claim is lost after a push found another one than expected. It is not if the remote
// has what a push without an answer was to make of it, or still what is expected, which was locked for a moment. why is
// the error of the push.
func (l *Lease) lookAgain(ctx context.Context, id string, why error) error {
	if err := l.remote.FetchAll(ctx); err != nil {
		return fmt.Errorf("the remote has refused %q and cannot be read: %w", ClaimRef(id), err)
	}
	now, err := l.remote.Claim(ctx, id)
	if err != nil {
		return err
	}
	branch, err := l.remote.Branch(ctx, id)
	if err != nil {
		return err
	}
	// Also the state before: the ref may only have been locked for a moment.
	for _, made := range append(l.unsure, change{l.held, l.branch}) {
		if made.held.Hash == now.Hash && made.branch == branch {
			l.held, l.branch, l.unsure = made.held, made.branch, nil
			return nil
		}
	}
	return why
}
