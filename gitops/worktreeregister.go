package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/rootdir"
)

// create adds a worktree as "git worktree add" does, with one process instead of three: the registration is a folder
// that is written here, and git writes the files. ok is false, and nothing was done, where git may do more than that.
// head is the content of HEAD; branch is the one to check out, "" for none. If faithful, the files are as the commit
// alone has them.
func (t *Trees) create(ctx context.Context, path, branch, head string, faithful bool) (ok bool, err error) {
	top := layout.RealPath(path)
	if plain, err := t.isPlain(ctx, top, branch); err != nil || !plain {
		return false, err
	}
	admin, err := t.register(top, head)
	if errors.Is(err, fs.ErrNotExist) {
		// A prune was faster, so git is asked to do all of it.
		return false, nil
	}
	if err != nil {
		return true, err
	}
	// Only now does the worktree lead to its registration, which is complete.
	if err = os.MkdirAll(top, 0o777); err == nil {
		err = os.WriteFile(filepath.Join(top, ".git"), []byte("gitdir: "+filepath.ToSlash(admin)+"\n"), 0o666)
	}
	if err == nil {
		var how gitexec.Call
		if faithful {
			how.Settings, how.Env = gitconfig.Faithful()
		}
		err = t.writeFiles(ctx, top, "HEAD", how)
	}
	// The lock goes last: until then a prune takes this for a worktree that is just being added.
	if err == nil {
		return true, os.Remove(filepath.Join(admin, "locked"))
	}
	// A person's prune may have taken the registration, and then git tries the whole again.
	pruned := isMissing(filepath.Join(admin, "HEAD"))
	if removeErr := errors.Join(rootdir.Remove(top), rootdir.Remove(admin)); removeErr != nil || !pruned {
		return true, errors.Join(err, removeErr)
	}
	return false, ctx.Err()
}

// isPlain reports whether "git worktree add" does no more than create does: nothing is sparse, no branch
// is in use elsewhere, and the names need no changes.
func (t *Trees) isPlain(ctx context.Context, top, branch string) (bool, error) {
	how, err := t.Config.Summary(ctx)
	// These settings make git do more than is done here.
	if err != nil || runtime.GOOS == "windows" || how.TreesDiffer || t.Site.Format.Reftable || t.Site.Format.Shared || t.Site.Format.Bare {
		return false, err
	}
	if entries, err := os.ReadDir(top); len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) || !plainName(filepath.Base(top)) {
		// Git reports what is wrong.
		return false, nil //nolint:nilerr
	}
	if branch == "" {
		return t.Site.Registration(top) == "", nil
	}
	return t.isFree(ctx, top, branch)
}

// isFree reports whether no worktree has been registered at top and none uses the branch.
func (t *Trees) isFree(ctx context.Context, top, branch string) (bool, error) {
	all, err := t.Worktrees(ctx)
	if err != nil {
		return false, err
	}
	for _, w := range all {
		if w.Path == top || w.Branch == branch {
			return false, nil
		}
	}
	places, err := t.Site.Places()
	if err != nil {
		return false, err
	}
	for _, p := range places {
		// An agent could keep a branch from all others by files in the git folder of its worktree.
		if !t.Site.MayHave(p, branch) {
			continue
		}
		// In these states, HEAD does not name the branch that is in use.
		for _, name := range []string{"rebase-merge", "rebase-apply", "BISECT_LOG"} {
			if _, err := os.Lstat(filepath.Join(p.GitDir, name)); err == nil {
				return false, nil
			}
		}
	}
	return true, nil
}

// plainName reports whether git names a registration like the folder, but for a dot at the beginning.
func plainName(name string) bool {
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	rest := strings.TrimPrefix(name, ".")
	// Git changes other names, and then the folder could not be found by it.
	return rest != "" && rest[0] != '.' && !strings.Contains(rest, "..") && !strings.HasSuffix(rest, ".") && !strings.HasSuffix(rest, ".lock")
}

// register creates the registration of a worktree and returns its folder. It is locked first, so that no prune takes it
// for one whose worktree is gone, and names its worktree last, so that no reader finds half of it.
func (t *Trees) register(top, head string) (admin string, err error) {
	if admin, err = t.registration(filepath.Base(top)); err != nil {
		return "", err
	}
	// The lock is written first, so that no prune takes it for one whose worktree is gone, and the path last, so that no
	// reader finds half of it.
	for _, file := range [][2]string{
		{"locked", "initializing"}, {"commondir", "../.."}, {"HEAD", head}, {"gitdir", filepath.ToSlash(filepath.Join(top, ".git"))},
	} {
		if err = os.WriteFile(filepath.Join(admin, file[0]), []byte(file[1]+"\n"), 0o666); err != nil {
			return "", errors.Join(err, os.RemoveAll(admin))
		}
	}
	return admin, nil
}

// registration creates a folder that no other worktree has, and names it as git does.
func (t *Trees) registration(name string) (admin string, err error) {
	folder := filepath.Join(t.Site.Common, "worktrees")
	// Git does not let a registration begin with a dot.
	if rest, dot := strings.CutPrefix(name, "."); dot {
		name = "-" + rest
	}
	for n, next := 0, name; n < maxNames; next = fmt.Sprintf("%s%d", name, n) {
		// Git removes this folder with the last worktree, also between two steps of this loop.
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return "", err
		}
		admin = filepath.Join(folder, next)
		// Creating the folder is what takes the name: another process may be after the same.
		err := os.Mkdir(admin, 0o777)
		if err == nil {
			return admin, nil
		}
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		n++
	}
	return "", fmt.Errorf("every registration for a worktree %q is taken", name)
}

// maxNames bounds how many names for a registration are tried.
const maxNames = 10_000
