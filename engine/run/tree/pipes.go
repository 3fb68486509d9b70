package tree

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"chant/engine/journal"
	"chant/engine/store"
)

// notFiles are the kinds of entries that hold nothing and whose reader may wait for ever.
const notFiles = fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice

// gitsSocket is where git's own daemon listens that watches a worktree for changes.
const gitsSocket = "fsmonitor--daemon.ipc"

// openTree is findTree, after which nothing in the own tree hangs git: an agent of an
// earlier process, killed before it was looked after, may have left pipes there.
func (t *Trees) openTree(ctx context.Context) (own, foreign string, err error) {
	if t.Agent == nil {
		tree, err := t.TreePath(t.Job.ID)
		if err != nil {
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

// OpenPipes takes away what would hang or stop git in a tree: a pipe, a socket or a
// device that an agent has put where git reads its rules, or in the place of ".git", of
// its spec, of a file that git tracks or of one where git keeps what is the tree's.
// Nothing is in such a file that could be lost. It returns what it took, for people.
func (t *Trees) OpenPipes(ctx context.Context, tree string) (taken []string, err error) {
	take := func(full, name string) error {
		taken = append(taken, name+" was replaced by something that is not a file and would block its readers")
		return os.Remove(full)
	}
	folder := t.Repo.AdminDir(tree)
	found, err := pipes(ctx, folder)
	if err != nil {
		return nil, err
	}
	for _, file := range found { // first, for git reads these whatever it is asked
		if err := take(filepath.Join(folder, filepath.FromSlash(file)), "git's "+file+" of the worktree"); err != nil {
			return taken, err
		}
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
			continue // git passes by it
		}
		if err := take(full, file); err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// pipes lists what in a tree is neither file, folder nor link, by paths as git spells
// them. What git keeps for itself is none of it, nor is the socket of its daemon, nor what
// cannot be looked into: git tells of that.
func pipes(ctx context.Context, tree string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(tree, func(full string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.Type()&notFiles == 0 || entry.Type() == fs.ModeSocket && entry.Name() == gitsSocket:
			return nil
		}
		rel, err := filepath.Rel(tree, full)
		found = append(found, filepath.ToSlash(rel))
		return err
	})
	return found, err
}

// read reports whether git or chant opens a file for its name alone.
func (t *Trees) read(file string) bool {
	return slices.Contains([]string{".gitignore", ".gitattributes", ".gitmodules", ".mailmap"}, path.Base(file)) ||
		file == ".git" || file == store.SpecPath(t.Job.ID)
}
