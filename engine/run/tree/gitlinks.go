package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"chant/gitops"
	"chant/gitops/rootdir"
)

// plainRef matches the content of a file that is a ref, and not another name for one.
var plainRef = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?\n?$`) })

// GuardGitFiles remembers by which files git finds a worktree and the repository around it. The function that it returns
// writes them again if they have changed, and returns what it found, for people: git runs in the tree by what they say,
// and in the repository no git can list worktrees if they lead nowhere. Only git's own commands for worktrees write
// them, and no agent needs one. It also removes what was added among the branches of runs and is no ref: with it, git
// and chant could list none.
func GuardGitFiles(ctx context.Context, t *Trees, tree string) (mend func() ([]string, error), err error) {
	folder := t.Repo.AdminDir(tree)
	names := []string{"gitdir", "commondir"}
	was := map[string][]byte{}
	err = rootdir.In(folder, func(root *os.Root) (err error) {
		for _, name := range names {
			if was[name], err = rootdir.Read(root, name, maxRefSize); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	known, err := branchFiles(t)
	if err != nil {
		return nil, err
	}
	return func() (found []string, err error) {
		err = rootdir.In(folder, func(root *os.Root) error {
			for _, name := range names {
				if rootdir.Holds(root, name, was[name]) {
					continue
				}
				found = append(found, fmt.Sprintf("git's %s of the worktree was changed", name))
				if err := rootdir.Write(root, name, was[name], 0o644); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return found, err
		}
		// Broken refs first: with one of them, git lists no branches at all.
		return found, errors.Join(dropBroken(ctx, t, known), dropAddedBranches(ctx, t, known))
	}, nil
}

// Sizes in bytes that git's own files do not reach. Git reads them completely.
const (
	maxRefSize = 4 << 10
	maxGitFile = 1 << 30 // an index, a reflog
)

// dropGitLinks undoes, of what an agent can write in git's folder, what would lead git elsewhere, or have it read what
// does not end: links and huge files in the folder of the worktree, and instead of the run's branch or its reflog, a branch
// that is another name for a ref, and a HEAD of nothing, with which git does not know the worktree. Git writes all of these as
// plain files. It returns what it found, for people.
func dropGitLinks(ctx context.Context, t *Trees, tree string) (taken []string, err error) {
	// Links in git's folder would have later commands of chant write wherever they lead.
	err = rootdir.In(t.Repo.AdminDir(tree), func(admin *os.Root) error {
		if taken, err = linksBelow(ctx, admin); err != nil {
			return err
		}
		why, err := restoreHead(ctx, t, admin)
		if why != "" {
			taken = append(taken, why)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return taken, err
	}
	for _, place := range []string{"refs/heads", "logs/refs/heads"} {
		restore := false
		folder, name := path.Split(place + "/" + t.Store.Branch(t.Job.ID))
		err := rootdir.In(filepath.Join(t.Repo.CommonDir(), filepath.FromSlash(folder)), func(root *os.Root) error {
			why, info, err := whyNotPlain(root, place, folder, name)
			if err != nil || why == "" {
				return err
			}
			taken = append(taken, why)
			if err := makePlain(root, name, info); err != nil {
				return err
			}
			// A plain file of other content does not make a branch either, so it is made again from the worktree's reflog.
			if restore = place == "refs/heads" && !plainFile(root, name); restore {
				return rootdir.RemoveAll(root, name)
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return taken, err
		}
		// Outside of the root, since git itself writes the ref.
		if restore {
			if err := restoreRef(ctx, t, tree); err != nil {
				return taken, err
			}
		}
	}
	return taken, nil
}

// restoreHead has a worktree be on the run's branch again if its HEAD names neither a ref nor a commit, and returns what it has
// found, "" if HEAD is as git writes it.
func restoreHead(ctx context.Context, t *Trees, admin *os.Root) (why string, err error) {
	text, err := rootdir.Read(admin, "HEAD", maxRefSize)
	switch value := strings.TrimSpace(string(text)); {
	case err != nil:
	case strings.HasPrefix(value, "ref:") && strings.HasPrefix(strings.TrimSpace(value[len("ref:"):]), "refs/"):
		return "", nil
	case plainRef().MatchString(value):
		if _, err := t.Repo.ReadCommit(ctx, value); !errors.Is(err, gitops.ErrNotFound) {
			// The command that needs the commit reports it.
			return "", nil //nolint:nilerr
		}
	}
	return "git's HEAD of the worktree was neither a branch nor a commit", rootdir.Write(admin, "HEAD", []byte("ref: refs/heads/"+t.Store.Branch(t.Job.ID)+"\n"), 0o644)
}

// whyNotPlain returns why a branch or its reflog is not as git writes it, "" if it is or if there is none.
func whyNotPlain(root *os.Root, place, folder, name string) (why string, info fs.FileInfo, err error) {
	ref := place == "refs/heads"
	// Git itself makes way for a branch where only an empty folder is.
	if info, err = root.Lstat(name); errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() && ref {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	switch {
	case !info.Mode().IsRegular() || rootdir.Linked(info):
		return fmt.Sprintf("git's %s%s was not a plain file", folder, name), info, nil
	case info.Size() > maxGitFile || ref && info.Size() > maxRefSize:
		return fmt.Sprintf("git's %s%s had %d bytes", folder, name, info.Size()), info, nil
	case !ref:
		return "", info, nil
	}
	text, err := rootdir.Read(root, name, maxRefSize)
	if err != nil || plainRef().Match(text) {
		// Git reports what cannot be read.
		return "", info, nil //nolint:nilerr
	}
	branch := strings.TrimPrefix(folder+name, "refs/heads/")
	return fmt.Sprintf("branch %s was made another name for %q", branch, strings.TrimSpace(string(text[:min(len(text), 100)]))), info, nil
}

// makePlain breaks a link. A file with several names keeps its content: a backup of the repository may share it. Anything
// else that is not a plain file is removed, and so is a huge one; what it leads to stays.
func makePlain(root *os.Root, name string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() || info.Size() > maxGitFile {
		return rootdir.RemoveAll(root, name)
	}
	content, err := rootdir.Read(root, name, maxGitFile)
	if err != nil {
		return err
	}
	// Written as a new file: a file with several names would change in all of them.
	return rootdir.Write(root, name, content, info.Mode().Perm())
}

// plainFile reports whether a file holds a ref.
func plainFile(root *os.Root, name string) bool {
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	text, err := rootdir.Read(root, name, maxRefSize)
	return err == nil && plainRef().Match(text)
}

// restoreRef makes the run's branch again, at the last commit that its worktree had checked out, so that no commit of the
// agent is lost. Without one there is no branch.
func restoreRef(ctx context.Context, t *Trees, tree string) error {
	last, err := t.Repo.LastHead(tree)
	if err != nil {
		// No commit was made in the worktree, so none can be lost.
		return nil //nolint:nilerr
	}
	return t.Repo.UpdateRef(ctx, "refs/heads/"+t.Store.Branch(t.Job.ID), last, "", "chant: restore "+t.Job.ID)
}

// linksBelow removes the links and the huge files below the folder of a worktree, without the repositories of
// submodules, which git itself fills with links.
func linksBelow(ctx context.Context, admin *os.Root) (taken []string, err error) {
	err = rootdir.Walk(admin, func(name string, kind fs.FileMode) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		// Git itself fills the repositories of submodules with links.
		case kind.IsDir() && name == "modules":
			return fs.SkipDir
		case kind.IsDir():
			return nil
		}
		info, err := admin.Lstat(name)
		switch {
		case err != nil:
			// It was removed meanwhile.
			return nil //nolint:nilerr
		case kind&fs.ModeSymlink != 0 || rootdir.Linked(info):
			taken = append(taken, fmt.Sprintf("git's %s of the worktree led to another file", name))
		case info.Mode().IsRegular() && info.Size() > maxGitFile:
			taken = append(taken, fmt.Sprintf("git's %s of the worktree had %d bytes", name, info.Size()))
		default:
			return nil
		}
		return makePlain(admin, name, info)
	})
	return taken, err
}
