package gitops

import (
	"context"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/refstore"
	"chant/gitops/worktrees"
)

// Ref is a name and the object it points to.
type Ref = refstore.Ref

// Head is what is checked out in a worktree: Branch is a short name, "" when detached.
type Head = refstore.Head

// RefSnapshot is where all refs point at one time, and what the worktrees have checked out.
type RefSnapshot = refstore.Snapshot

// RefMove is a ref that was changed; From is "" if it was added, To is "" if it was removed.
type RefMove = refstore.Move

// SnapshotRefs reads all refs in one pass, without a process where refs are files. Packed refs are parsed only if their
// file has changed since the last time.
func SnapshotRefs(ctx context.Context, r *Repo) (*RefSnapshot, error) { return r.refs.Snapshot(ctx) }

// RefSnapshotOf returns a snapshot of these refs, as All of another one returned them.
func RefSnapshotOf(refs map[string]string) *RefSnapshot { return refstore.SnapshotOf(refs) }

// HeadEntry is an entry of the reflog of a HEAD: where it led before and after, and what moved it.
type HeadEntry = refstore.HeadEntry

// HeadEntries returns the entries of the reflog of HEAD in the worktree at dir, oldest first; none without a reflog.
// Anyone can write a reflog. Errors: ErrNotRepository.
func HeadEntries(r *Repo, dir string) ([]HeadEntry, error) { return r.refs.HeadEntries(dir) }

// NotOnRemotes lists the commits reachable from to and neither from from nor from a remote-tracking branch, newest
// first.
func NotOnRemotes(ctx context.Context, r *Repo, from, to string) ([]string, error) {
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"rev-list", to, "--not", from, "--remotes"}})
	return strings.Fields(string(out)), err
}

// Head returns what the worktree whose top is dir has checked out, without a process.
// With ErrUnborn the Branch is given all the same. Errors: ErrUnborn, ErrNotRepository.
func (r *Repo) Head(ctx context.Context, dir string) (Head, error) {
	return r.refs.Head(ctx, dir)
}

// RealBranch is the branch behind a name that is a symbolic ref, as an alias that was left for
// a renamed branch is; any other name is returned as it is.
func (r *Repo) RealBranch(ctx context.Context, name string) (string, error) {
	return r.refs.RealBranch(ctx, name)
}

// LastHead is the commit that the worktree at dir had checked out last, by the reflog of
// its HEAD: also where the branch it was on is gone. Errors: ErrNotFound without a reflog,
// ErrNotRepository.
func (r *Repo) LastHead(dir string) (string, error) {
	return r.refs.LastHead(dir)
}

// HeadLog are the commits that the worktree at dir has had checked out, by the reflog of its HEAD, oldest first: those
// of the entries behind the first after bytes. size is the length of the reflog, for a later call. A reflog that is
// shorter was rewritten and is read as a whole. Errors: ErrNotFound without a reflog, ErrNotRepository.
func (r *Repo) HeadLog(dir string, after int) (commits []string, size int, err error) {
	return r.refs.HeadLog(dir, after)
}

// Branches lists the local branches whose short names begin with prefix, sorted by name,
// without a process.
func (r *Repo) Branches(ctx context.Context, prefix string) ([]Ref, error) {
	return r.refs.Branches(ctx, prefix)
}

// Refs lists the refs whose full names begin with prefix, such as "refs/chant/rescue/",
// sorted by name, without a process.
func (r *Repo) Refs(ctx context.Context, prefix string) ([]Ref, error) {
	return r.refs.List(ctx, prefix)
}

// UpdateRef moves a ref, by its full name, from oldHash ("" when it must not exist) to
// newHash; why goes to the reflog. ErrChanged when it has another value.
func (r *Repo) UpdateRef(ctx context.Context, ref, newHash, oldHash, why string) error {
	return r.refs.Update(ctx, ref, newHash, oldHash, why)
}

// DeleteRef removes a ref that has the value oldHash; a missing one is fine. ErrChanged
// when it has another value. Of branches it removes only those of runs, and none that a worktree has checked out:
// worktrees.ErrCheckedOut.
func (r *Repo) DeleteRef(ctx context.Context, ref, oldHash string) error {
	if branch, is := strings.CutPrefix(ref, layout.Heads); is {
		if !strings.HasPrefix(ref, r.refs.Runs) {
			return fmt.Errorf("branch %q is not of a run and stays", branch)
		}
		all, err := r.trees.List(ctx)
		if err != nil {
			return err
		}
		for _, one := range all {
			if one.Branch == branch && !one.Prunable {
				return fmt.Errorf("branch %q: %w: %q", branch, worktrees.ErrCheckedOut, one.Path)
			}
		}
	}
	return r.refs.Delete(ctx, ref, oldHash)
}

// DeleteRefs removes branches of runs that have these values; the names are short. Another value of one of them is an error,
// and none is removed then.
func DeleteRefs(ctx context.Context, r *Repo, branches []Ref) error {
	full := make([]Ref, len(branches))
	for i, b := range branches {
		if full[i] = (Ref{Name: layout.Heads + b.Name, Hash: b.Hash}); !strings.HasPrefix(full[i].Name, r.refs.Runs) {
			return fmt.Errorf("branch %q is not of a run and stays", b.Name)
		}
	}
	return r.refs.DeleteAll(ctx, full)
}

// DeleteCheckedOut is DeleteRef for a branch of any name, also if a worktree has it checked out, which then has no commit.
func DeleteCheckedOut(ctx context.Context, r *Repo, branch, oldHash string) error {
	return r.refs.Delete(ctx, layout.Heads+branch, oldHash)
}

// ValidBranch returns what is wrong with name as a branch name, or nil. The rules are those
// of "git check-ref-format --branch", without its shorthands; it starts no process.
func (r *Repo) ValidBranch(name string) error { return layout.ValidBranch(name) }
