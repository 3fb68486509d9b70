package tree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"chant/engine/evidence/journal"
	"chant/engine/store"
	"chant/gitops/rootdir"
)

// notFiles are the kinds of entries that hold no content and can block their reader for ever.
const notFiles = fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice

// gitsSocket is the socket of git's own daemon that watches a worktree for changes.
const gitsSocket = "fsmonitor--daemon.ipc"

// openTree is FindTree, and makes sure that nothing in the run's own worktree blocks git: an agent of an earlier
// process, killed before its worktree was checked, may have left pipes there.
func (t *Trees) openTree(ctx context.Context) (own, foreign string, err error) {
	if t.Agent == nil {
		tree, err := t.TreePath(t.Job.ID)
		if err != nil {
			return "", "", err
		}
		if err := removeLink(ctx, t, tree); err != nil {
			return "", "", err
		}
		if err := t.Repo.RepairWorktree(ctx, tree, t.Job.Branch); err != nil {
			return "", "", err
		}
		taken, err := t.OpenPipes(ctx, tree)
		for _, text := range taken {
			t.Announce(journal.Worktree, "warning", "%s", text)
		}
		if err != nil {
			return "", "", err
		}
	}
	return t.FindTree(ctx)
}

// removeLink removes a link that an agent has put in the place of the run's worktree. What it leads to stays as it is.
func removeLink(ctx context.Context, t *Trees, tree string) error {
	if info, err := os.Lstat(tree); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil //nolint:nilerr // there is no worktree
	}
	if err := rootdir.Remove(tree); err != nil {
		return err
	}
	t.Announce(journal.Worktree, "warning", "removed a link that was in the place of the worktree")
	if err := t.rescueHead(ctx, tree); err != nil {
		return err
	}
	return t.Repo.PruneWorktrees(ctx)
}

// OpenPipes removes what would block or stop git in a worktree: pipes, sockets and devices that an agent has created
// where git reads its rules, or instead of ".git", of its spec, of a tracked file, or of a file in the worktree's git
// folder. Such a file has no content that could be lost. It returns what it removed, for people.
func (t *Trees) OpenPipes(ctx context.Context, tree string) (taken []string, err error) {
	take := func(top, file, name string) error {
		taken = append(taken, name+" was replaced by something that is not a file and would block its readers")
		return rootdir.RemoveEach(top, file)
	}
	folder := t.Repo.AdminDir(tree)
	found, err := pipes(ctx, folder)
	if err != nil {
		return nil, err
	}
	for _, file := range found { // first, since git always reads these
		if err := take(folder, file, "git's "+file+" of the worktree"); err != nil {
			return taken, err
		}
	}
	links, err := dropGitLinks(ctx, t, tree)
	if taken = append(taken, links...); err != nil {
		return taken, err
	}
	if found, err = pipes(ctx, tree); err != nil {
		return taken, err
	}
	for _, file := range found {
		full := filepath.Join(tree, filepath.FromSlash(file))
		stops := t.read(file)
		if !stops && t.Whole(tree) {
			if stops, err = t.Repo.Tracked(ctx, tree, full); err != nil {
				return taken, err
			}
		}
		if !stops {
			continue // git ignores it
		}
		if err := take(tree, file, file); err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// pipes lists what is neither file, folder nor link in a worktree, by paths as git writes them. Git's own folder and
// the socket of its daemon are left out, and so is what cannot be read: git reports that.
func pipes(ctx context.Context, tree string) ([]string, error) {
	var found []string
	err := rootdir.In(tree, func(root *os.Root) error {
		return rootdir.Walk(root, func(name string, kind fs.FileMode) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case kind.IsDir() && path.Base(name) == ".git":
				return fs.SkipDir
			case kind&notFiles == 0 || kind == fs.ModeSocket && path.Base(name) == gitsSocket:
				return nil
			}
			found = append(found, name)
			return nil
		})
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, rootdir.ErrNotFolder) {
		return nil, nil
	}
	return found, err
}

// read reports whether git or chant opens a file of this name without being asked.
func (t *Trees) read(file string) bool {
	return slices.Contains([]string{".gitignore", ".gitattributes", ".gitmodules", ".mailmap"}, path.Base(file)) ||
		file == ".git" || file == store.SpecPath(t.Job.ID)
}
