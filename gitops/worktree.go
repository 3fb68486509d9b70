package gitops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Worktree is one folder in which something is checked out. Branch is a short name, ""
// when detached; Head is "" where git cannot tell what it is; Prunable says that the
// folder is gone.
type Worktree struct {
	Path, Branch, Head string
	Locked, Prunable   bool
	Bare, Main         bool
}

// Worktrees lists the registered worktrees, the main one first; paths have no symbolic links.
// It starts no process, unless git stores the repository's refs in a form of its own.
func (r *Repo) Worktrees(ctx context.Context) ([]Worktree, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	all, err := r.worktreeFiles()
	if err != nil {
		if all, err = r.worktreesByGit(ctx); err != nil {
			return nil, err
		}
	}
	for i := range all {
		all[i].Path = layout.RealPath(all[i].Path)
	}
	if len(all) > 0 && !all[0].Bare {
		// For a submodule or a separate git folder, git names that folder here.
		all[0].Main, all[0].Path = true, r.site.Home
		return all, nil
	}
	return r.withoutBare(all), nil
}

func (r *Repo) worktreesByGit(ctx context.Context) ([]Worktree, error) {
	// Git stumbles over a worktree that another process is just adding, so it may be asked again.
	out, err := r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"worktree", "list", "--porcelain", "-z"}})
	return parseWorktrees(string(out)), err
}

// withoutBare takes the bare repository, which is no worktree, out of a list and puts home first.
func (r *Repo) withoutBare(all []Worktree) []Worktree {
	all = slices.DeleteFunc(all, func(w Worktree) bool { return w.Bare })
	for i, w := range all {
		if w.Path == r.site.Home {
			w.Main = true
			return append([]Worktree{w}, slices.Delete(all, i, i+1)...)
		}
	}
	return all
}

// parseWorktrees reads attributes that end in NUL, in records that end in another.
func parseWorktrees(out string) []Worktree {
	var all []Worktree
	for record := range strings.SplitSeq(out, "\x00\x00") {
		var w Worktree
		for line := range strings.SplitSeq(record, "\x00") {
			key, value, _ := strings.Cut(line, " ")
			switch key {
			case "worktree":
				w.Path = value
			case "HEAD":
				if strings.Trim(value, "0") != "" { // else it has none, or it cannot be read
					w.Head = value
				}
			case "branch":
				w.Branch = strings.TrimPrefix(value, layout.Heads)
			case "bare":
				w.Bare = true
			case "locked":
				w.Locked = true
			case "prunable":
				w.Prunable = true
			}
		}
		if w.Path != "" {
			all = append(all, w)
		}
	}
	return all
}

// registered finds the worktree at path, or nil.
func (r *Repo) registered(ctx context.Context, path string) (*Worktree, error) {
	all, err := r.Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	real := layout.RealPath(path)
	if i := slices.IndexFunc(all, func(w Worktree) bool { return w.Path == real }); i >= 0 {
		return &all[i], nil
	}
	return nil, nil
}

// AddWorktree checks out an existing branch at path, which must not exist or be empty.
// Errors: ErrNotFound (branch), ErrCheckedOut.
func (r *Repo) AddWorktree(ctx context.Context, path, branch string) error {
	if err := layout.ValidBranch(branch); err != nil {
		return err
	}
	if _, err := r.readRef(ctx, layout.Heads+branch); err != nil {
		return err
	}
	return r.addWorktree(ctx, path, "--", layout.RealPath(path), branch)
}

// AddDetached checks out a commit at path, on no branch. Errors: ErrNotFound.
func (r *Repo) AddDetached(ctx context.Context, path, commit string) error {
	hash, err := r.Resolve(ctx, commit)
	if err != nil {
		return err
	}
	return r.addWorktree(ctx, path, "--detach", "--", layout.RealPath(path), hash)
}

func (r *Repo) addWorktree(ctx context.Context, path string, args ...string) error {
	defer r.turns.Adding(ctx)()
	known, err := r.registered(ctx, path)
	if err != nil {
		return err
	}
	if known != nil && !known.Locked && gone(known.Path) {
		if err := r.unregister(ctx, known.Path, false); err != nil {
			return err
		}
	}
	args = append([]string{"worktree", "add", "-q"}, args...)
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Args: args, Limit: gitexec.LongLimit})
	var failed *GitError
	if errors.As(err, &failed) && (strings.Contains(failed.Stderr, "already checked out at") || strings.Contains(failed.Stderr, "already used by worktree")) {
		return fmt.Errorf("%w: %w", ErrCheckedOut, err)
	}
	return err
}
