package tree

import (
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

// dropGitLinks removes, of what an agent can write in git's folder, what would lead git elsewhere: links in the folder of
// the worktree, and instead of the run's branch or its reflog, and a branch that is another name for a ref. Git writes
// all of these as plain files. It returns what it removed, for people.
func dropGitLinks(ctx context.Context, t *Trees, tree string) (taken []string, err error) {
	folder := t.Repo.AdminDir(tree)
	taken, err = linksBelow(ctx, folder, "git's %s of the worktree led to another file")
	if err != nil {
		return taken, err
	}
	ref := filepath.FromSlash("refs/heads/" + t.Store.Branch(t.Job.ID))
	for _, name := range []string{ref, filepath.Join("logs", ref)} {
		path := filepath.Join(t.Repo.CommonDir(), name)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
			continue
		}
		if err != nil {
			return taken, err
		}
		why := ""
		if !info.Mode().IsRegular() || leads(info) {
			why = fmt.Sprintf("git's %s was not a plain file", filepath.ToSlash(name))
		} else if text, err := os.ReadFile(path); name == ref && err == nil && !plainRef().Match(text) {
			why = fmt.Sprintf("branch %s was made another name for %q", t.Store.Branch(t.Job.ID), strings.TrimSpace(string(text[:min(len(text), 100)])))
		}
		if why == "" {
			continue
		}
		taken = append(taken, why)
		if err := os.Remove(path); err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// linksBelow removes the links below the folder of a worktree, without the repositories of submodules, which git itself
// fills with links.
func linksBelow(ctx context.Context, folder, format string) (taken []string, err error) {
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
		if err != nil || !leads(info) {
			return nil //nolint:nilerr // removed meanwhile
		}
		taken = append(taken, fmt.Sprintf(format, filepath.ToSlash(rel)))
		return os.Remove(full)
	})
	return taken, err
}
