package run

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"chant/engine/store"
)

// notFiles are the kinds of entries that hold nothing and whose reader may wait for ever.
const notFiles = fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice

// openTree is findTree, after which nothing in the own tree hangs git: an agent of an
// earlier process, killed before it was looked after, may have left pipes there.
func (r *Run) openTree(ctx context.Context) (own, foreign string, err error) {
	own, foreign, err = r.findTree(ctx)
	if err != nil || own == "" || r.Agent != nil {
		return own, foreign, err
	}
	taken, err := r.openPipes(ctx, own)
	for _, text := range taken {
		r.emit(Worktree, "warning", "%s", text)
	}
	return own, foreign, err
}

// openPipes takes away what would hang or stop git in a tree: a pipe, a socket or a
// device that an agent has put where git reads its rules, or in the place of ".git", of
// its spec or of a file that git tracks. Nothing is in such a file that could be lost. It
// returns what it took, for people.
func (r *Run) openPipes(ctx context.Context, tree string) ([]string, error) {
	found, err := pipes(ctx, tree)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	var taken []string
	for _, file := range found {
		full := filepath.Join(tree, filepath.FromSlash(file))
		stops := r.read(file)
		if !stops && r.whole(tree) {
			if stops, err = r.Repo.Tracked(ctx, tree, full); err != nil {
				return taken, err
			}
		}
		if !stops {
			continue // git passes by it
		}
		taken = append(taken, fmt.Sprintf("%s was replaced by what is no file and would hang whoever reads it", file))
		if err := os.Remove(full); err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// pipes lists what in a tree is neither file, folder nor link, by paths as git spells
// them. What git keeps for itself is none of it, nor is what cannot be looked into: git
// tells of that.
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
		case entry.Type()&notFiles == 0:
			return nil
		}
		rel, err := filepath.Rel(tree, full)
		found = append(found, filepath.ToSlash(rel))
		return err
	})
	return found, err
}

// read reports whether git or chant opens a file for its name alone.
func (r *Run) read(file string) bool {
	return slices.Contains([]string{".gitignore", ".gitattributes", ".gitmodules", ".mailmap"}, path.Base(file)) ||
		file == ".git" || file == store.SpecPath(r.Job.ID)
}
