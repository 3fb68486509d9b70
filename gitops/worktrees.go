package gitops

import (
	"context"
	"slices"
	"strings"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/refstore"
	"chant/gitops/revision"
)

// This file lists, adds and removes the worktrees of a repository.
//
// It never removes a folder that is not registered as a worktree.
//
// Rules:
//
//   - Listing starts no process unless only git can answer (ErrAskGit); its answer is that of
//     "git worktree list".
//   - What git keeps of a worktree is removed for one path, which chant has made. Nothing prunes the others.
//
// Decisions:
//
// 2026-11-23: a new worktree is registered in process, and one git process writes its files. Rejected: "git worktree add"
// always, which reads what agents can write of all other worktrees: with a pipe in the place of "gitdir" or HEAD in the git
// folder of one, git 2.39.5 waits for ever (2026-11-29). It is still used where it would run a hook, copy settings or a
// sparse checkout, or refuse a branch. And creating the registration elsewhere, to move it into place as a whole: a killed
// process would leave it there.
//
// 2026-11-23: a symbolic link is never removed as a worktree. Rejected: following it, since a command can let it lead to a
// worktree of a person.
//
// 2026-11-28: no worktree is used again for another branch or commit. Rejected: making a used one as if it was new, by
// comparing every file and its attributes, modes and times with the commit, which has to think of whatever an agent can
// leave in a worktree and in its git folder, and takes longer than writing new files.

// 2026-11-30: only the registration of the path that is asked for is removed. Rejected: "git worktree prune", as before, which
// also forgets a person's worktree on a drive that is not mounted, with its index and its detached HEAD. So nothing of chant
// takes a worktree that is being added for one that is gone, and adding waits for nothing.

// Trees are the worktrees of one repository.
// The fields are set once, when it is made.
type Trees struct {
	Git    *gitexec.Runner
	Site   *layout.Site
	Refs   *refstore.Store
	Revs   *revision.Reader
	Config *gitconfig.Settings
}

// Worktree is one folder in which something is checked out: a branch (its short name), or a commit on none. Head is
// that commit, "" on a branch. Prunable says that the folder is gone.
type Worktree struct {
	Path, Branch, Head string
	Locked, Prunable   bool
	Bare, Main         bool
}

// Worktrees lists the registered worktrees, the main one first; paths have no symbolic links.
// It starts no process, unless git stores the repository's refs in a form of its own.
func (t *Trees) Worktrees(ctx context.Context) ([]Worktree, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	all, err := t.FromFiles()
	if err != nil {
		if all, err = t.ByGit(ctx); err != nil {
			return nil, err
		}
	}
	reals := layout.RealPaths{}
	for i := range all {
		all[i].Path = reals.Of(all[i].Path)
	}
	if len(all) > 0 && !all[0].Bare {
		// For a submodule or a separate git folder, git names that folder here.
		all[0].Main, all[0].Path = true, t.Site.Home
		return all, nil
	}
	return t.withoutBare(all), nil
}

// ByGit lists the registered worktrees as git prints them.
func (t *Trees) ByGit(ctx context.Context) ([]Worktree, error) {
	// Git stumbles over a worktree that another process is just adding, so it may be asked again.
	out, err := t.Git.Retry(ctx, gitexec.Call{Dir: t.Site.Home, Args: []string{"worktree", "list", "--porcelain", "-z"}})
	all := parseWorktrees(string(out))
	if t.Site.Claims == nil || err != nil {
		return all, err
	}
	// What git prints is read from the folders that agents can write, so it is judged like those.
	folders := t.Site.Registrations()
	var known []Worktree
	for _, w := range all {
		c := t.Site.Claim(folders[layout.RealPath(w.Path)], w.Path)
		if !c.Hostile {
			known = append(known, w)
		} else if c.Right {
			known = append(known, withOwnBranch(w, c))
		}
	}
	return known, nil
}

// withoutBare takes the bare repository, which is no worktree, out of a list and puts home first.
func (t *Trees) withoutBare(all []Worktree) []Worktree {
	all = slices.DeleteFunc(all, func(w Worktree) bool { return w.Bare })
	for i, w := range all {
		if w.Path == t.Site.Home {
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
				// All zeros mean that there is no commit, or that it cannot be read.
				if strings.Trim(value, "0") != "" {
					w.Head = value
				}
			// On a branch, its commit is left out; this line follows HEAD.
			case "branch":
				w.Branch, w.Head = strings.TrimPrefix(value, layout.Heads), ""
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

// Registered finds the worktree at path, or nil.
func (t *Trees) Registered(ctx context.Context, path string) (*Worktree, error) {
	all, err := t.Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	real := layout.RealPath(path)
	if i := slices.IndexFunc(all, func(w Worktree) bool { return w.Path == real }); i >= 0 {
		return &all[i], nil
	}
	return nil, nil
}
