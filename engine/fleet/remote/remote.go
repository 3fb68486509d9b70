// Package remote reads and changes what the machines of a fleet have in common in git: the target, the branches of runs
// and the claims, in one remote repository.
//
// # Rules
//
//   - A claim changes only by comparing its old value, in the same push as the branch of its run: all of it or nothing. So
//     whoever has lost a claim cannot push to the branch either, and at no time do two workers have a spec.
//   - Each push changes the claim, since git does not compare what it does not change.
//   - The answer to a push can be lost with the connection. So a lease is lost only when the remote, asked again, has
//     neither what was pushed last nor what a push without an answer was to make of it.
//   - What is fetched goes to remote-tracking refs and to refs/chant/claims; no branch of the clone moves.
//   - Where chant has made the clone, no person works: there it packs objects, removes locks that killed git processes
//     have left, and brings the checkout in order.
//
// # Decisions
//
// 2026-11-27: a worker fetches the branches of runs, and with them the evidence, only to continue one. Rejected: all of
// them each time, with which ten workers copied each commit nine times; and one by its name, which fails if it does not
// exist.
package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"chant/engine/fleet"
	"chant/gitops"
)

// Remote is the remote repository of a fleet, as one clone sees it.
type Remote struct {
	Repo   *gitops.Repo
	Name   string // of the git remote, such as origin
	Target string // the branch on which specs land
	Prefix string // of the branches of runs, such as "chant/"
	Stale  func() // is called when a push was refused because another machine was faster; may be nil
	// Sign signs the claims that are pushed with the key of the machine; nil and "" = they are not signed.
	Sign func(text []byte) (string, error)
	// Light has Fetch leave out the branches of runs and the evidence. A worker needs little of them, and they change all the
	// time.
	Light bool

	mu   sync.Mutex // held by a fetch
	last error      // of the last fetch; guarded by mu
	all  bool       // it brought everything; guarded by mu

	packing sync.Mutex // held by Pack

	turn sync.Mutex
	at   int // fetches that have begun; guarded by turn
}

// Held is a claim and the object that has it.
type Held struct {
	fleet.Claim
	Hash string
}

// Fetch brings the target and the claims here, and the branches of runs and the evidence unless the remote is Light. Callers
// that wait while another fetch runs share the next one, unless that fails.
func (r *Remote) Fetch(ctx context.Context) error { return r.fetch(ctx, !r.Light) }

// FetchAll is Fetch of everything in any case.
func (r *Remote) FetchAll(ctx context.Context) error { return r.fetch(ctx, true) }

func (r *Remote) fetch(ctx context.Context, all bool) error {
	r.turn.Lock()
	seen := r.at
	r.turn.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turn.Lock()
	shared := r.at > seen && r.last == nil && (r.all || !all) // a fetch has begun since this call, and has ended
	if !shared {
		r.at++
	}
	r.turn.Unlock()
	if shared {
		return nil
	}
	specs := []string{"refs/heads/" + r.Target + ":" + r.tracking(r.Target), fleet.ClaimRefs + "*:" + fleet.ClaimRefs + "*"}
	if all {
		specs = append(specs, "refs/heads/"+r.Prefix+"*:"+r.tracking(r.Prefix)+"*", "refs/notes/*:"+fetchedNotes+"*")
	}
	r.last, r.all = r.Repo.FetchRefs(ctx, r.Name, specs...), all
	return r.last
}

// tracking returns the remote-tracking ref of a branch.
func (r *Remote) tracking(branch string) string { return "refs/remotes/" + r.Name + "/" + branch }

// Tip returns the commit of the target in the remote, as fetched last.
func (r *Remote) Tip(ctx context.Context) (string, error) {
	return r.Repo.Resolve(ctx, r.tracking(r.Target))
}

// fetchedNotes is where the notes of the remote are in the clone.
const fetchedNotes = "refs/chant/notes/"

// Notes returns the commit of the evidence in the remote, as fetched last; "" if there is none.
func (r *Remote) Notes(ctx context.Context) (string, error) {
	at, err := r.Repo.Resolve(ctx, fetchedNotes+"chant")
	if errors.Is(err, gitops.ErrNotFound) {
		return "", nil
	}
	return at, err
}

// Branch returns the tip of the branch of a run in the remote, as fetched or pushed last; "" if there is none.
func (r *Remote) Branch(ctx context.Context, id string) (string, error) {
	tip, err := r.Repo.Resolve(ctx, r.tracking(r.Prefix+id))
	if errors.Is(err, gitops.ErrNotFound) {
		return "", nil
	}
	return tip, err
}

// Branches lists the tips of the branches of runs in the remote by spec, as fetched last.
func (r *Remote) Branches(ctx context.Context) (map[string]string, error) {
	prefix := r.tracking(r.Prefix)
	refs, err := r.Repo.Refs(ctx, prefix)
	tips := map[string]string{}
	for _, ref := range refs {
		tips[strings.TrimPrefix(ref.Name, prefix)] = ref.Hash
	}
	return tips, err
}

// Claims lists the claims by spec, as fetched last. A claim that cannot be read is an error of its own, and the others
// are returned all the same.
func (r *Remote) Claims(ctx context.Context) (map[string]Held, error) {
	refs, err := r.Repo.Refs(ctx, fleet.ClaimRefs)
	if err != nil {
		return nil, err
	}
	claims := map[string]Held{}
	var all error
	for _, ref := range refs {
		id := strings.TrimPrefix(ref.Name, fleet.ClaimRefs)
		h, err := r.read(ctx, id, ref.Hash)
		if err != nil {
			all = errors.Join(all, err)
			continue
		}
		claims[id] = h
	}
	return claims, all
}

// Claim returns the claim on a spec, as fetched last; its Hash is "" if there is none.
func (r *Remote) Claim(ctx context.Context, id string) (Held, error) {
	refs, err := r.Repo.Refs(ctx, fleet.ClaimRef(id))
	if err != nil {
		return Held{}, err
	}
	at := slices.IndexFunc(refs, func(ref gitops.Ref) bool { return ref.Name == fleet.ClaimRef(id) })
	if at < 0 {
		return Held{}, nil
	}
	return r.read(ctx, id, refs[at].Hash)
}

func (r *Remote) read(ctx context.Context, id, hash string) (Held, error) {
	content, err := r.Repo.ReadBlob(ctx, hash)
	if err != nil {
		return Held{}, fmt.Errorf("the claim on %q: %w", id, err)
	}
	c, err := fleet.ParseClaim(id, content)
	return Held{c, hash}, err
}

// push changes refs of the remote. Error: fleet.ErrLost if one of them does not have the expected value any more.
func (r *Remote) push(ctx context.Context, updates ...gitops.RefUpdate) error {
	err := r.Repo.Push(ctx, r.Name, updates...)
	if refused, ok := errors.AsType[*gitops.PushRefusedError](err); ok && refused.Stale {
		if r.Stale != nil {
			r.Stale()
		}
		return fmt.Errorf("%w: %w", fleet.ErrLost, err)
	}
	return err
}
