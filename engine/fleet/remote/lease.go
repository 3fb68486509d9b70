package remote

import (
	"context"
	"sync"

	"chant/engine/fleet"
	"chant/gitops"
)

// Lease is a claim that this process holds.
type Lease struct {
	remote *Remote

	mu     sync.Mutex // guards the fields below, and is held by a push
	held   Held
	branch string // the tip of the branch in the remote, "" = it has none
}

// Take claims a spec for a worker in place of the claim from, if there was one, and of the branch that was fetched. A
// branch that does not exist is made at base. Error: fleet.ErrLost if another worker was faster.
func (r *Remote) Take(ctx context.Context, c fleet.Claim, from Held) (*Lease, error) {
	tip, err := r.Branch(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	l := &Lease{remote: r, held: from, branch: tip}
	c.State, c.Count, c.Tip = fleet.Working, 0, tip
	if tip == "" {
		c.Tip = c.Base
	}
	return l, l.push(ctx, c, c.Tip)
}

// Push brings the branch to its new tip, and the claim to what change makes of it. Error: fleet.ErrLost if another worker
// has taken the spec over.
func (l *Lease) Push(ctx context.Context, tip string, change func(*fleet.Claim)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.held.Claim
	c.Count++
	c.Tip = tip
	change(&c)
	return l.push(ctx, c, tip)
}

// Pushed returns the tip of the branch in the remote.
func (l *Lease) Pushed() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.branch
}

// Claim returns the claim as it was pushed last.
func (l *Lease) Claim() fleet.Claim {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held.Claim
}

func (l *Lease) push(ctx context.Context, c fleet.Claim, tip string) error {
	content, err := c.Bytes()
	if err != nil {
		return err
	}
	hash, err := gitops.WriteBlob(ctx, l.remote.Repo, content)
	if err != nil {
		return err
	}
	updates := []gitops.RefUpdate{{Ref: fleet.ClaimRef(c.ID), New: hash, Old: l.held.Hash}}
	if tip != l.branch {
		updates = append(updates, gitops.RefUpdate{Ref: "refs/heads/" + l.remote.Prefix + c.ID, New: tip, Old: l.branch})
	}
	if err := l.remote.push(ctx, updates...); err != nil {
		return err
	}
	l.held, l.branch = Held{c, hash}, tip
	return nil
}
