package gitops

import (
	"context"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// NotOnRemotes lists the commits reachable from to and neither from from nor from a remote-tracking branch, newest
// first.
func (r *Repo) NotOnRemotes(ctx context.Context, from, to string) ([]string, error) {
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"rev-list", to, "--not", from, "--remotes"}})
	return strings.Fields(string(out)), err
}

// Refs lists the refs whose full names begin with prefix, such as "refs/chant/rescue/",
// sorted by name, without a process.
func (r *Repo) Refs(ctx context.Context, prefix string) ([]Ref, error) {
	return r.refs.List(ctx, prefix)
}

// DeleteRef removes a ref that has the value oldHash; a missing one is fine. ErrChanged
// when it has another value. Of branches it removes only those of runs, and none that a worktree has checked out:
// ErrCheckedOut.
func (r *Repo) DeleteRef(ctx context.Context, ref, oldHash string) error {
	// Branches of people are never removed here, nor is one that is checked out.
	if branch, is := strings.CutPrefix(ref, layout.Heads); is {
		if !strings.HasPrefix(ref, r.refs.Runs) {
			return fmt.Errorf("branch %q is not of a run and stays", branch)
		}
		all, err := r.Worktrees(ctx)
		if err != nil {
			return err
		}
		for _, one := range all {
			if one.Branch == branch && !one.Prunable {
				return fmt.Errorf("branch %q: %w: %q", branch, ErrCheckedOut, one.Path)
			}
		}
	}
	return r.refs.Delete(ctx, ref, oldHash)
}

// DeleteRefs removes branches of runs that have these values; the names are short. Another value of one of them is an error,
// and none is removed then.
func (r *Repo) DeleteRefs(ctx context.Context, branches []Ref) error {
	full := make([]Ref, len(branches))
	for i, b := range branches {
		if full[i] = (Ref{Name: layout.Heads + b.Name, Hash: b.Hash}); !strings.HasPrefix(full[i].Name, r.refs.Runs) {
			return fmt.Errorf("branch %q is not of a run and stays", b.Name)
		}
	}
	return r.refs.DeleteAll(ctx, full)
}

// DeleteCheckedOut is DeleteRef for a branch of any name, also if a worktree has it checked out, which then has no commit.
func (r *Repo) DeleteCheckedOut(ctx context.Context, branch, oldHash string) error {
	return r.refs.Delete(ctx, layout.Heads+branch, oldHash)
}

// ValidBranch returns what is wrong with name as a branch name, or nil. The rules are those
// of "git check-ref-format --branch", without its shorthands; it starts no process.
func (r *Repo) ValidBranch(name string) error { return layout.ValidBranch(name) }
