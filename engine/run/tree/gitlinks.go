package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// plainRef matches the content of a file that is a ref, and not another name for one.
var plainRef = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?\n?$`) })

// KeepPlace remembers by which files git finds a worktree and the repository around it. The function that it returns
// writes them again if they have changed, and returns what it found, for people: git runs in the tree by what they say,
// and in the repository no git can list worktrees if they lead nowhere. Only git's own commands for worktrees write
// them, and no agent needs one. It also removes what was added among the branches of runs and is no ref: with it, git
// and chant could list none.
func KeepPlace(t *Trees, tree string) (mend func() ([]string, error), err error) {
	folder := t.Repo.AdminDir(tree)
	was := map[string][]byte{}
	for _, name := range []string{"gitdir", "commondir"} {
		if was[name], err = os.ReadFile(filepath.Join(folder, name)); err != nil {
			return nil, err
		}
	}
	known, err := branchFiles(t)
	if err != nil {
		return nil, err
	}
	return func() (found []string, err error) {
		for _, name := range []string{"gitdir", "commondir"} {
			path := filepath.Join(folder, name)
			if Holds(path, was[name]) {
				continue
			}
			found = append(found, fmt.Sprintf("git's %s of the worktree was changed", name))
			if err := os.RemoveAll(path); err != nil {
				return found, err
			}
			if err := os.WriteFile(path, was[name], 0o644); err != nil {
				return found, err
			}
		}
		broken, err := dropBroken(t, known)
		return append(found, broken...), err
	}, nil
}

// Holds reports whether a path is a plain file with this content. It reads nothing else: a pipe would never end, and a
// file of any size costs an agent nothing.
func Holds(path string, content []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || leads(info) || info.Size() != int64(len(content)) {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && bytes.Equal(text, content)
}

// Sizes in bytes that git's own files do not reach. Git reads them completely.
const (
	mostOfRef  = 4 << 10
	mostOfFile = 1 << 30 // an index, a reflog
)

// dropGitLinks undoes, of what an agent can write in git's folder, what would lead git elsewhere, or have it read what
// does not end: links and huge files in the folder of the worktree, and instead of the run's branch or its reflog, and
// a branch that is another name for a ref. Git writes all of these as plain files. It returns what it found, for people.
func dropGitLinks(ctx context.Context, t *Trees, tree string) (taken []string, err error) {
	folder := t.Repo.AdminDir(tree)
	taken, err = linksBelow(ctx, folder)
	if err != nil {
		return taken, err
	}
	ref := filepath.FromSlash("refs/heads/" + t.Store.Branch(t.Job.ID))
	for _, name := range []string{ref, filepath.Join("logs", ref)} {
		path := filepath.Join(t.Repo.CommonDir(), name)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() && name == ref {
			continue
		}
		if err != nil {
			return taken, err
		}
		why := notPlain(filepath.ToSlash(name), path, info, name == ref)
		if why == "" {
			continue
		}
		taken = append(taken, why)
		if err := makePlain(path, info); err != nil {
			return taken, err
		}
		if name == ref && !plainFile(path) {
			if err := restoreRef(ctx, t, tree, path); err != nil {
				return taken, err
			}
		}
	}
	return taken, nil
}

// notPlain returns why a branch or its reflog is not as git writes it, "" if it is.
func notPlain(name, path string, info fs.FileInfo, ref bool) string {
	switch {
	case !info.Mode().IsRegular() || leads(info):
		return fmt.Sprintf("git's %s was not a plain file", name)
	case info.Size() > mostOfFile || ref && info.Size() > mostOfRef:
		return fmt.Sprintf("git's %s had %d bytes", name, info.Size())
	case !ref:
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil || plainRef().Match(text) {
		return ""
	}
	return fmt.Sprintf("branch %s was made another name for %q", strings.TrimPrefix(name, "refs/heads/"), strings.TrimSpace(string(text[:min(len(text), 100)])))
}

// makePlain breaks a link. A file with several names keeps its content: a backup of the repository may share it. Anything
// else that is not a plain file is removed, and so is a huge one; what it leads to stays.
func makePlain(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return os.RemoveAll(path)
	case !info.Mode().IsRegular() || info.Size() > mostOfFile:
		return os.Remove(path)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	own := path + ".plain"
	if err := os.WriteFile(own, content, info.Mode().Perm()); err != nil {
		return err
	}
	return os.Rename(own, path)
}

// plainFile reports whether a file holds a ref.
func plainFile(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostOfRef {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && plainRef().Match(text)
}

// restoreRef makes the run's branch a plain ref again, at the last commit that its worktree had checked out, so that no
// commit of the agent is lost. Without one the branch is removed.
func restoreRef(ctx context.Context, t *Trees, tree, path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	last, err := t.Repo.LastHead(tree)
	if err != nil {
		return nil //nolint:nilerr // no commit was made in the worktree
	}
	return t.Repo.UpdateRef(ctx, "refs/heads/"+t.Store.Branch(t.Job.ID), last, "", "chant: restore "+t.Job.ID)
}

// linksBelow removes the links and the huge files below the folder of a worktree, without the repositories of
// submodules, which git itself fills with links.
func linksBelow(ctx context.Context, folder string) (taken []string, err error) {
	err = filepath.WalkDir(folder, func(full string, entry fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(folder, full)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil || relErr != nil || rel == ".":
			return nil // git reports what cannot be read
		case entry.IsDir() && rel == "modules":
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		info, err := entry.Info()
		switch {
		case err != nil:
			return nil //nolint:nilerr // removed meanwhile
		case leads(info):
			taken = append(taken, fmt.Sprintf("git's %s of the worktree led to another file", filepath.ToSlash(rel)))
		case info.Mode().IsRegular() && info.Size() > mostOfFile:
			taken = append(taken, fmt.Sprintf("git's %s of the worktree had %d bytes", filepath.ToSlash(rel), info.Size()))
		default:
			return nil
		}
		return makePlain(full, info)
	})
	return taken, err
}
