package guard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/sandbox"
	"chant/engine/run/tree"
	"chant/engine/store"
)

// scratchFolders returns folders for what tools can create again: running a test may write there, even in a linked
// folder.
func scratchFolders() []string {
	return []string{".cache", ".vite", ".vite-temp", ".vitest", "__pycache__"}
}

// Lent returns what identifies the uncommitted files that worktrees get copies of or links to, as they are now.
func (g *Guard) Lent(ctx context.Context) (map[string]string, error) {
	return g.lentFiles(ctx, map[string][]string{})
}

// lentFiles reads the uncommitted files of the person's checkout that the settings put into worktrees. Criteria see
// them beside what is committed, so an agent must not change them.
func (g *Guard) lentFiles(ctx context.Context, at map[string][]string) (map[string]string, error) {
	out := map[string]string{}
	if g.lentSeen == nil {
		g.lentSeen = map[string]*criteria.Snapshot{}
	}
	for _, path := range g.Settings.Link {
		if !filepath.IsLocal(path) {
			// Set-up refuses it.
			continue
		}
		if err := lentLink(ctx, g, path, out, at); err != nil {
			return nil, err
		}
	}
	copied, err := g.copiedPaths(ctx)
	if err != nil {
		return nil, err
	}
	files, err := criteria.SnapshotFiles(ctx, g.Store.Home(), slices.Sorted(maps.Keys(copied)), g.lentSeen[""])
	if err != nil {
		return nil, err
	}
	g.lentSeen[""] = files
	for name, sum := range files.FileSums() {
		keepOutside(g, name, sum)
		what := fmt.Sprintf("file %q of your checkout, which runs get a copy of,", name)
		out[what], at[what] = sum, []string{filepath.Join(g.Store.Home(), filepath.FromSlash(name))}
	}
	return out, nil
}

// copiedPaths lists the files of which worktrees get copies, each with the setting that names it.
func (g *Guard) copiedPaths(ctx context.Context) (map[string]string, error) {
	included, err := g.Repo.IgnoredBy(ctx, tree.IncludeFile)
	if err != nil {
		return nil, err
	}
	named, err := g.Repo.IgnoredFiles(ctx, g.Settings.Copy)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, name := range included {
		out[name] = tree.IncludeFile
	}
	for _, name := range named {
		out[name] = "worktree.copy"
	}
	// Files of .chant are never copied.
	maps.DeleteFunc(out, func(name, _ string) bool { return strings.HasPrefix(name, store.Dir+"/") })
	return out, nil
}

// lentPaths lists the paths at which worktrees get a copy or a link, each with the setting that names it: the branch must leave
// them free, since set-up replaces nothing that is committed.
func (g *Guard) lentPaths(ctx context.Context) (map[string]string, error) {
	// Listing them walks through the checkout, and landings ask while others wait.
	if g.lentAt != nil {
		return g.lentAt, nil
	}
	out, err := g.copiedPaths(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range g.Settings.Link {
		// What is not there is not linked.
		if _, err := os.Lstat(filepath.Join(g.Store.Home(), filepath.FromSlash(name))); err == nil && filepath.IsLocal(name) {
			out[path.Clean(filepath.ToSlash(name))] = "worktree.link"
		}
	}
	g.lentAt = out
	return out, nil
}

// keepOutside keeps the digest of what is copied or linked, as it is when it is first read, for the evidence.
func keepOutside(g *Guard, path, sum string) {
	if g.Outside == nil {
		g.Outside = map[string]string{}
	}
	// What the agent has found is what evidence names, also if it has changed it since.
	if _, known := g.Outside[path]; !known {
		g.Outside[path] = sum
	}
}

// lentLink reads a linked file, or each entry of a linked folder. Of each it adds to files where it is.
func lentLink(ctx context.Context, g *Guard, path string, out map[string]string, files map[string][]string) error {
	link := filepath.Join(g.Store.Home(), filepath.FromSlash(path))
	at, err := filepath.EvalSymlinks(link)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(at)
	if err != nil {
		return err
	}
	what := func(name string) string {
		what := fmt.Sprintf("%q of your checkout, which runs get a link to,", name)
		// What is below a link is as far away as the link itself.
		files[what] = []string{link}
		return what
	}
	if !info.IsDir() {
		seen, err := criteria.SnapshotFiles(ctx, filepath.Dir(at), []string{filepath.Base(at)}, g.lentSeen[path])
		g.lentSeen[path] = seen
		if err == nil {
			out[what(path)] = seen.FileSums()[filepath.Base(at)]
			keepOutside(g, path, out[what(path)])
		}
		return err
	}
	seen, err := criteria.TakeSnapshot(ctx, at, g.lentSeen[path])
	g.lentSeen[path] = seen
	if err != nil {
		return err
	}
	// Leading the link elsewhere changes it, even where both places have the same content.
	out[what(path)] = at
	keepOutside(g, path+"/", seen.Sum())
	for top, sum := range seen.Sums(scratchFolders()...) {
		out[what(filepath.ToSlash(filepath.Join(path, top)))] = sum
	}
	return nil
}

// filesAbove reads what build tools would find in the folders above a check tree.
func (g *Guard) filesAbove(ctx context.Context, at map[string][]string) (map[string]string, error) {
	out := map[string]string{}
	if g.lentSeen == nil {
		g.lentSeen = map[string]*criteria.Snapshot{}
	}
	dirs := sandbox.CheckDirs(g.Repo, g.Environ)
	for i, dir := range dirs {
		dirs[i] = filepath.Join(dir, sandbox.CheckTree)
	}
	for _, path := range sandbox.FoundAbove(slices.Concat(sandbox.ProjectFiles(), sandbox.PersonalFiles()), dirs...) {
		what := strconv.Quote(path) + ", above the folder in which criteria run,"
		at[what] = []string{path}
		if err := readAbove(ctx, g, path, what, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func readAbove(ctx context.Context, g *Guard, path, what string, out map[string]string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		// It is a link to nothing.
		return nil
	}
	if err != nil {
		return err
	}
	take := func() (*criteria.Snapshot, error) {
		return criteria.SnapshotFiles(ctx, filepath.Dir(path), []string{filepath.Base(path)}, g.lentSeen[path])
	}
	if info.IsDir() {
		take = func() (*criteria.Snapshot, error) { return criteria.TakeSnapshot(ctx, path, g.lentSeen[path]) }
	}
	seen, err := take()
	if err != nil {
		return err
	}
	g.lentSeen[path] = seen
	out[what] = seen.Sum()
	return nil
}
