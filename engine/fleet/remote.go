package fleet

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"chant/engine/spec"
	"chant/engine/store"
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

	begun atomic.Int64 // fetches
}

// Held is a claim and the object that has it.
type Held struct {
	Claim
	Hash string
}

// Fetch brings the target and the claims here, and the branches of runs and the evidence unless the remote is Light. Callers
// that wait while another fetch runs share the next one, unless that fails.
func (r *Remote) Fetch(ctx context.Context) error { return r.fetch(ctx, !r.Light) }

// FetchAll is Fetch of everything in any case.
func (r *Remote) FetchAll(ctx context.Context) error { return r.fetch(ctx, true) }

func (r *Remote) fetch(ctx context.Context, all bool) error {
	seen := r.begun.Load()
	r.mu.Lock()
	defer r.mu.Unlock()
	// A fetch has begun since this call, and has ended, so it has what this one would bring.
	if r.begun.Load() > seen && r.last == nil && (r.all || !all) {
		return nil
	}
	r.begun.Add(1)
	specs := []string{"refs/heads/" + r.Target + ":" + r.trackingRef(r.Target), ClaimRefs + "*:" + ClaimRefs + "*"}
	if all {
		specs = append(specs, "refs/heads/"+r.Prefix+"*:"+r.trackingRef(r.Prefix)+"*", "refs/notes/*:"+fetchedNotes+"*")
	}
	r.last, r.all = r.Repo.FetchRefs(ctx, r.Name, specs...), all
	return r.last
}

// trackingRef returns the remote-tracking ref of a branch.
func (r *Remote) trackingRef(branch string) string { return "refs/remotes/" + r.Name + "/" + branch }

// Tip returns the commit of the target in the remote, as fetched last.
func (r *Remote) Tip(ctx context.Context) (string, error) {
	return r.Repo.Resolve(ctx, r.trackingRef(r.Target))
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
	tip, err := r.Repo.Resolve(ctx, r.trackingRef(r.Prefix+id))
	if errors.Is(err, gitops.ErrNotFound) {
		return "", nil
	}
	return tip, err
}

// Branches lists the tips of the branches of runs in the remote by spec, as fetched last.
func (r *Remote) Branches(ctx context.Context) (map[string]string, error) {
	prefix := r.trackingRef(r.Prefix)
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
	refs, err := r.Repo.Refs(ctx, ClaimRefs)
	if err != nil {
		return nil, err
	}
	claims := map[string]Held{}
	var all error
	for _, ref := range refs {
		id := strings.TrimPrefix(ref.Name, ClaimRefs)
		h, err := r.read(ctx, id, ref.Hash)
		if err != nil {
			all = errors.Join(all, err)
			// One claim that cannot be read must not hide the others.
			continue
		}
		claims[id] = h
	}
	return claims, all
}

// Claim returns the claim on a spec, as fetched last; its Hash is "" if there is none.
func (r *Remote) Claim(ctx context.Context, id string) (Held, error) {
	refs, err := r.Repo.Refs(ctx, ClaimRef(id))
	if err != nil {
		return Held{}, err
	}
	at := slices.IndexFunc(refs, func(ref gitops.Ref) bool { return ref.Name == ClaimRef(id) })
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
	c, err := ParseClaim(id, content)
	return Held{c, hash}, err
}

// push changes refs of the remote. Error: ErrLost if one of them does not have the expected value any more.
func (r *Remote) push(ctx context.Context, updates ...gitops.RefUpdate) error {
	err := r.Repo.Push(ctx, r.Name, updates...)
	// Stale means that another machine was faster; any other refusal stays, however often it is tried.
	if refused, ok := errors.AsType[*gitops.PushRefusedError](err); ok && refused.Stale {
		if r.Stale != nil {
			r.Stale()
		}
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return err
}

// Done is a claim whose work is over, and the tip of its branch, as they were fetched.
type Done struct {
	Held
	Branch string
}

// Publish moves the target to a commit that contains the work of these claims, and removes their branches and claims in
// the same push. Error: ErrLost if the target or a claim has changed since it was fetched; then nothing was changed.
func (r *Remote) Publish(ctx context.Context, target string, landed []Done, notes *gitops.RefUpdate) error {
	// Forward only, without force: what others have pushed to the target is never dropped.
	updates := []gitops.RefUpdate{{Ref: "refs/heads/" + r.Target, New: target, Forward: true}}
	for _, d := range landed {
		updates = append(updates, gitops.RefUpdate{Ref: ClaimRef(d.ID), Old: d.Hash})
		if d.Branch != "" {
			updates = append(updates, gitops.RefUpdate{Ref: "refs/heads/" + r.Prefix + d.ID, Old: d.Branch})
		}
	}
	if notes != nil {
		updates = append(updates, *notes)
	}
	return r.push(ctx, updates...)
}

// PushNotes brings the evidence to the remote. Error: ErrLost if it has changed since it was fetched.
func (r *Remote) PushNotes(ctx context.Context, notes gitops.RefUpdate) error {
	return r.push(ctx, notes)
}

// Settle changes a claim that no worker holds, and its branch if tip differs from that.
func (r *Remote) Settle(ctx context.Context, d Done, tip string, change func(*Claim)) error {
	l := &Lease{remote: r, held: d.Held, branch: d.Branch}
	return l.Push(ctx, tip, change)
}

// Forget removes a claim and the branch of its run. Removing what is not there is no error. What the target lacks of the
// branch is kept under a ref of rescue, which is returned; "" if nothing had to be kept.
func (r *Remote) Forget(ctx context.Context, d Done, rescue string) (kept string, err error) {
	if d.Branch != "" {
		target, err := r.Tip(ctx)
		if err != nil {
			return "", err
		}
		merged, err := r.Repo.IsAncestor(ctx, d.Branch, target)
		if err != nil {
			return "", err
		}
		if !merged {
			// Before the branch is removed, in a push of its own.
			if kept, err = r.Keep(ctx, rescue+d.ID+"/", d.Branch); err != nil {
				return "", err
			}
		}
	}
	var updates []gitops.RefUpdate
	if d.Hash != "" {
		updates = append(updates, gitops.RefUpdate{Ref: ClaimRef(d.ID), Old: d.Hash})
	}
	if d.Branch != "" {
		updates = append(updates, gitops.RefUpdate{Ref: "refs/heads/" + r.Prefix + d.ID, Old: d.Branch})
	}
	if len(updates) == 0 {
		return kept, nil
	}
	return kept, r.push(ctx, updates...)
}

// Keep keeps a commit in the remote under a ref that begins with a prefix, for a machine that continues from it.
func (r *Remote) Keep(ctx context.Context, prefix, commit string) (ref string, err error) {
	ref = fmt.Sprintf("%s%.12s", prefix, commit)
	err = r.push(ctx, gitops.RefUpdate{Ref: ref, New: commit})
	if errors.Is(err, ErrLost) {
		// A ref of this name has the commit already, since its hash is in the name.
		return ref, nil
	}
	return ref, err
}

// Try pushes a ref that no spec can have, and removes it: it finds out whether this clone may push claims.
func (r *Remote) Try(ctx context.Context) error {
	content := []byte("a try\n")
	hash, err := r.Repo.WriteBlob(ctx, content)
	if err != nil {
		return err
	}
	ref := "refs/chant/try/" + rand.Text()
	// The remote can allow branches and refuse other refs, so a ref of the kind of claims is tried.
	if err := r.Repo.Push(ctx, r.Name, gitops.RefUpdate{Ref: ref, New: hash}); err != nil {
		return err
	}
	return r.Repo.Push(ctx, r.Name, gitops.RefUpdate{Ref: ref, Old: hash})
}

// WhyOver says why nothing is left to do for a spec at a commit of the target: it is gone, completed or cancelled there. It
// returns "" if it is neither.
func WhyOver(ctx context.Context, st *store.Store, commit, id string) (string, error) {
	s, err := st.ReadAt(ctx, commit, id)
	if errors.Is(err, gitops.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return "it is gone from the target", nil
	}
	if err != nil {
		// The command that works or lands the file reports it.
		return "", nil //nolint:nilerr
	}
	if s.Status == spec.Completed || s.Status == spec.Cancelled {
		return "it is " + string(s.Status) + " on the target", nil
	}
	return "", nil
}
