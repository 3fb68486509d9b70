package guard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/engine/store/touched"
	"chant/gitops"
	"chant/providers"
)

// uncommittedRules returns the uncommitted files in home's .chant by which later runs work: prompts, rules, providers,
// templates and schemas. To seen it adds what may well be the work of a person: new specs, and edits of protected
// files.
func (g *Guard) uncommittedRules(ctx context.Context, start *spec.File, seen map[string]string) (map[string]string, error) {
	out := map[string]string{}
	if g.Job.Silent {
		// There is no commit to compare with.
		return out, nil
	}
	head, err := g.Repo.Head(ctx, g.Store.Home())
	if err != nil {
		// Nothing is checked out there, and the landing reports what that means.
		return out, nil
	}
	files := uncommitted{g, head.Hash, out, seen}
	for _, folder := range []string{"prompts", "rules", "providers", "templates", "schemas", "keys", "specs"} {
		if err := files.addFolder(ctx, store.Dir+"/"+folder); err != nil {
			return nil, err
		}
	}
	entry, err := g.Repo.Entry(ctx, head.Hash, store.RulesPath)
	if err == nil || errors.Is(err, gitops.ErrNotFound) {
		err = files.addFile(store.RulesPath, entry.Hash)
	}
	if err != nil {
		return nil, err
	}
	for _, r := range g.Settings.Verify.Rules {
		// Without it, later runs would not be held to it.
		if _, err := os.Lstat(filepath.Join(g.Store.Home(), filepath.FromSlash(r.Path))); errors.Is(err, fs.ErrNotExist) {
			out[r.Path] = "gone"
		}
	}
	return out, protectedEdits(ctx, g, start, seen)
}

// uncommitted collects the files in home that are not in a commit as they are there.
type uncommitted struct {
	*Guard
	commit string
	rules  map[string]string // what later runs work by
	seen   map[string]string // what may well be the work of a person
}

// addFolder adds the files of a folder.
func (g uncommitted) addFolder(ctx context.Context, folder string) error {
	entries, err := os.ReadDir(filepath.Join(g.Store.Home(), filepath.FromSlash(folder)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	committed, err := g.Repo.ReadDir(ctx, g.commit, folder)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return err
	}
	known := map[string]string{}
	for _, e := range committed {
		known[folder+"/"+e.Name] = e.Hash
	}
	for _, e := range entries {
		file := folder + "/" + e.Name()
		if e.IsDir() {
			err = g.addFolder(ctx, file)
		} else {
			err = g.addFile(file, known[file])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addFile adds one file, if it is not committed as it is.
func (g uncommitted) addFile(file, committed string) error {
	if _, isSpec := store.SpecOf(file); isSpec {
		if committed == "" {
			// Its text may change, since nothing requires it yet.
			g.seen[file+", which is not committed,"] = "there"
		}
		return nil
	}
	if touched.KindOf(file, nil) == "" {
		return nil
	}
	src, err := g.Store.ReadTree(g.Store.Home(), file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !gitops.IsBlob(src, committed) {
		g.rules[file] = digest(src)
	}
	return err
}

// protectedEdits adds the protected files in home that are not as they are committed.
func protectedEdits(ctx context.Context, g *Guard, start *spec.File, seen map[string]string) error {
	globs := slices.Concat(g.Settings.Verify.Protect, start.Checks().Protect)
	if len(globs) == 0 {
		return nil
	}
	var tops []string
	for _, glob := range globs {
		// Git is asked about the folders before the first wildcard only: its patterns mean other things than ours.
		top, _, _ := strings.Cut(glob, "*")
		if tops = append(tops, path.Dir(top+"x")); !strings.Contains(glob, "*") {
			tops[len(tops)-1] = glob
		}
	}
	changed, err := g.Repo.Status(ctx, g.Store.Home(), tops...)
	for _, c := range changed {
		if slices.ContainsFunc(globs, func(glob string) bool { return fileset.Match(glob, c.Path) }) {
			// It is empty if the file was removed.
			src, _ := g.Store.ReadTree(g.Store.Home(), c.Path)
			seen[c.Path+", which is protected, as it is in your checkout,"] = digest(src)
		}
	}
	return err
}

// toolSettings lists files below the user's home folder by which common tools run other programs or take others for
// their own: a criterion reads them, wherever it runs.
func toolSettings() []string {
	return []string{
		".config/go/env", ".npmrc", ".config/npm/npmrc", ".yarnrc", ".yarnrc.yml", ".config/pip/pip.conf", ".pip/pip.conf", ".pydistutils.cfg",
		".cargo/config", ".cargo/config.toml", ".m2/settings.xml", ".gradle/gradle.properties", ".gradle/init.gradle", ".bundle/config",
		".gemrc", ".rspec", ".pythonrc", ".config/composer/config.json", ".config/make/config", ".mavenrc", ".sbtopts",
		".local/lib/python3*/site-packages/usercustomize.py", ".local/lib/python3*/site-packages/sitecustomize.py",
	}
}

// toolFiles reads those files.
func toolFiles(g *Guard, kept map[string]string, at map[string][]string) {
	home := providers.Variable(g.Environ, "HOME")
	if !filepath.IsAbs(home) {
		return
	}
	for _, pattern := range toolSettings() {
		paths := []string{filepath.Join(home, filepath.FromSlash(pattern))}
		if strings.Contains(pattern, "*") {
			// The pattern is a constant, so it is never malformed.
			paths, _ = filepath.Glob(paths[0])
		}
		for _, file := range paths {
			// If it cannot be read, no tool reads it either.
			if src, err := os.ReadFile(file); err == nil {
				what := strconv.Quote(file) + ", which tools read,"
				kept[what], at[what] = digest(src), []string{file}
			}
		}
	}
}

// programsOfHome reads what programs are in folders of PATH below the user's home folder, where any process can replace
// them: criteria may run them by way of others.
func programsOfHome(g *Guard, seen map[string]string) {
	// The settings of a person are outside of what any agent may write, and nothing that is verified depends on them.
	if path := config.UserPath(g.Environ); path != "" {
		if src, err := os.ReadFile(path); err == nil {
			seen[fmt.Sprintf("%q, your settings,", path)] = digest(src)
		}
	}
	home := providers.Variable(g.Environ, "HOME")
	env, _ := criteria.Scrub(g.Environ, g.Settings.Verify.Pass, g.Trees.Worktrees(g.Trees.Tree))
	for _, dir := range filepath.SplitList(providers.Variable(env, "PATH")) {
		if rel, err := filepath.Rel(home, dir); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			// A folder that is not there has no programs.
			continue
		}
		for _, e := range entries {
			at := filepath.Join(dir, e.Name())
			info, err := os.Stat(at)
			if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				seen[fmt.Sprintf("program %q in %q, a folder of PATH,", e.Name(), dir)] = identityOf(at)
			}
		}
	}
}
