package remote

import (
	"context"
	"crypto/rand"
	"errors"

	"chant/engine/fleet"
	"chant/gitops"
)

// Done is a claim whose work is over, and the tip of its branch, as they were fetched.
type Done struct {
	Held
	Branch string
}

// Publish moves the target to a commit that contains the work of these claims, and removes their branches and claims in
// the same push. Error: fleet.ErrLost if the target or a claim has changed since it was fetched; then nothing was changed.
func (r *Remote) Publish(ctx context.Context, target string, landed []Done, notes *gitops.RefUpdate) error {
	updates := []gitops.RefUpdate{{Ref: "refs/heads/" + r.Target, New: target, Forward: true}}
	for _, d := range landed {
		updates = append(updates, gitops.RefUpdate{Ref: fleet.ClaimRef(d.ID), Old: d.Hash})
		if d.Branch != "" {
			updates = append(updates, gitops.RefUpdate{Ref: "refs/heads/" + r.Prefix + d.ID, Old: d.Branch})
		}
	}
	if notes != nil {
		updates = append(updates, *notes)
	}
	return r.push(ctx, updates...)
}

// PushNotes brings the evidence to the remote. Error: fleet.ErrLost if it has changed since it was fetched.
func (r *Remote) PushNotes(ctx context.Context, notes gitops.RefUpdate) error {
	return r.push(ctx, notes)
}

// Settle changes a claim that no worker holds, and its branch if tip differs from that.
func (r *Remote) Settle(ctx context.Context, d Done, tip string, change func(*fleet.Claim)) error {
	l := &Lease{remote: r, held: d.Held, branch: d.Branch}
	return l.Push(ctx, tip, change)
}

// Forget removes a claim and the branch of its run. Removing what is not there is no error.
func (r *Remote) Forget(ctx context.Context, d Done) error {
	var updates []gitops.RefUpdate
	if d.Hash != "" {
		updates = append(updates, gitops.RefUpdate{Ref: fleet.ClaimRef(d.ID), Old: d.Hash})
	}
	if d.Branch != "" {
		updates = append(updates, gitops.RefUpdate{Ref: "refs/heads/" + r.Prefix + d.ID, Old: d.Branch})
	}
	if len(updates) == 0 {
		return nil
	}
	return r.push(ctx, updates...)
}

// Keep keeps a commit in the remote under refs/chant/rescue, for whoever wants to continue from it.
func (r *Remote) Keep(ctx context.Context, ref, commit string) error {
	err := r.push(ctx, gitops.RefUpdate{Ref: ref, New: commit})
	if errors.Is(err, fleet.ErrLost) {
		return nil // a ref of this name, which contains the commit's, is there
	}
	return err
}

// Try pushes a ref that no spec can have, and removes it: it finds out whether this clone may push claims.
func (r *Remote) Try(ctx context.Context) error {
	content := []byte("a try\n")
	hash, err := r.Repo.WriteBlob(ctx, content)
	if err != nil {
		return err
	}
	ref := "refs/chant/try/" + rand.Text()
	if err := r.Repo.Push(ctx, r.Name, gitops.RefUpdate{Ref: ref, New: hash}); err != nil {
		return err
	}
	return r.Repo.Push(ctx, r.Name, gitops.RefUpdate{Ref: ref, Old: hash})
}
