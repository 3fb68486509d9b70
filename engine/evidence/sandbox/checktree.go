package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/gitops"
	"chant/gitops/rootdir"
	"chant/providers"
)

// This file knows where check trees are, the worktrees in which criteria run: outside the repository and every
// other worktree, in the user's cache folder or another one without files of a project above it. After a crash it finds
// the trees again, and the agents that were asked questions in them.
//
// It does not create or fill check trees; engine/run/tree does.

// CheckDirs lists the folders that may contain the check trees of a repository, the usual one first: below the user's
// cache folder, otherwise below a folder for temporary files. None is in a worktree or in the git folder of the
// repository. They need not exist.
func CheckDirs(repo *gitops.Repo, environ []string) []string {
	own := []string{disk.RealPath(repo.Whole().Home()), disk.RealPath(repo.Dir()), disk.RealPath(repo.CommonDir())}
	var out []string
	// Each clone has its own, and all its worktrees share it.
	key := FolderKey(repo.Home(), repo.CommonDir())
	for _, top := range CacheTops(environ) {
		dir := filepath.Join(top, key)
		// A check tree in a worktree would be found by the tools there, and one in the repository by git.
		if filepath.IsAbs(dir) && !slices.Contains(out, dir) && !isWithin(own, disk.RealPath(dir)) {
			out = append(out, dir)
		}
	}
	return out
}

// isWithin reports whether a path is in one of some folders, all without symbolic links.
func isWithin(folders []string, path string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		rel, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// CacheTops lists chant's own folders below those for caches and temporary files, the usual one first. They need not exist.
func CacheTops(environ []string) []string {
	cache, home := providers.Variable(environ, "XDG_CACHE_HOME"), providers.Variable(environ, "HOME")
	switch {
	case filepath.IsAbs(cache): // on every system
	case runtime.GOOS == "windows":
		cache = providers.Variable(environ, "LocalAppData")
	case home == "":
		cache = ""
	case runtime.GOOS == "darwin":
		cache = filepath.Join(home, "Library", "Caches")
	default:
		cache = filepath.Join(home, ".cache")
	}
	var tops []string
	if cache != "" {
		tops = append(tops, filepath.Join(cache, "chant"))
	}
	ours := fmt.Sprintf("chant-%d", os.Getuid())
	// The usual folder can be one that cannot be written, as in a container.
	for _, temp := range []string{providers.Variable(environ, "TMPDIR"), os.TempDir(), lastTemp()} {
		if temp != "" {
			tops = append(tops, filepath.Join(temp, ours))
		}
	}
	return tops
}

// lastTemp is the folder for temporary files that no variable changes.
func lastTemp() string {
	if runtime.GOOS == "windows" {
		return ""
	}
	return "/tmp"
}

// FolderKey returns the name of a folder in one of CacheTops for what another folder is about: readable by the name of that
// one, and its own by a path that is. It needs no quoting in a shell.
func FolderKey(named, own string) string {
	sum := sha256.Sum256([]byte(own))
	name := unusualChars().ReplaceAllString(filepath.Base(named), "_")
	// Cut, since the path of each file below it contains the name.
	return name[:min(len(name), 24)] + "-" + hex.EncodeToString(sum[:6])
}

var unusualChars = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[^A-Za-z0-9._-]`)
})

// ChooseDir returns the first folder in which check trees can be made and that has no file of a project above it. If
// all have one, it returns the first usable folder, and in misleading that file.
func ChooseDir(candidates []string) (dir, misleading string, err error) {
	var why []string
	for _, candidate := range candidates {
		if err := MakeUsable(candidate); err != nil {
			why = append(why, err.Error())
			continue
		}
		// Otherwise a file that an agent has left would count as one of a project.
		if err := ClearBeside(filepath.Join(candidate, CheckTree)); err != nil {
			return "", "", err
		}
		// A tool that searches upward would take settings from there.
		found := FoundAbove(ProjectFiles(), candidate)
		if len(found) == 0 {
			return candidate, "", nil
		}
		// It is remembered only as a last resort.
		if dir == "" {
			dir, misleading = candidate, found[0]
		}
	}
	if dir != "" {
		return dir, misleading, nil
	}
	reason := "every candidate lies inside the repository"
	if len(why) > 0 {
		reason = strings.Join(why, "; ")
	}
	return "", "", &journal.Failure{
		Kind: spec.ReasonSetup, Details: why, Next: next.Shell("export XDG_CACHE_HOME=/path/to/a/folder"),
		Message: "no folder outside the repository can hold the tree in which criteria run: " + reason,
	}
}

// ProbePrefix begins the name of a folder that is made only to test whether it can be made.
const ProbePrefix = ".probe-"

// MakeUsable creates a folder that only this user can write to, and tries to write there. A folder of chant's own whose
// mode was changed gets it back: an agent can change modes, and that must not stop later runs.
func MakeUsable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, at := range []string{filepath.Dir(dir), dir} {
		info, err := os.Lstat(at)
		if err != nil {
			return err
		}
		// Only folders that chant makes: the mode of others is the person's.
		if info.IsDir() && runtime.GOOS != "windows" && (at == dir || ownName(at)) && (info.Mode().Perm()&0o022 != 0 || info.Mode().Perm()&0o700 != 0o700) {
			if info, err = repairFolder(at); err != nil {
				return fmt.Errorf("%q is not a folder that only you can use, and its mode cannot be set: %w", at, err)
			}
		}
		// Others could replace what is checked.
		if !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
			return fmt.Errorf("%q is not a folder that only you can write to", at)
		}
	}
	// Modes do not show a file system that is read-only or full.
	probe, err := os.MkdirTemp(dir, ProbePrefix)
	if err != nil {
		return err
	}
	return os.Remove(probe)
}

// repairFolder gives a folder the mode with which chant makes it.
func repairFolder(dir string) (fs.FileInfo, error) {
	// A root, so that a link in its place leads nowhere else.
	root, err := os.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := root.Chmod(filepath.Base(dir), 0o700); err != nil {
		return nil, err
	}
	return root.Lstat(filepath.Base(dir))
}

// ownName reports whether a folder has the name of one that chant makes below those for caches and temporary files.
func ownName(dir string) bool {
	name := filepath.Base(dir)
	return name == "chant" || name == fmt.Sprintf("chant-%d", os.Getuid())
}

// ProjectFiles lists the names by which build tools, when they search upward, recognise the top folder of a project or
// its dependencies.
func ProjectFiles() []string {
	return []string{
		"go.work", "node_modules", "package.json", "pnpm-workspace.yaml", "tsconfig.json", "Cargo.toml",
		"pyproject.toml", "setup.cfg", "pytest.ini", "tox.ini", "conftest.py", "Gemfile", "pom.xml", "settings.gradle",
	}
}

// PersonalFiles lists names that tools search for upward too, but that many people have in their
// home folder for good reason.
func PersonalFiles() []string {
	return []string{
		".npmrc", ".yarnrc", ".yarnrc.yml", ".babelrc", ".eslintrc", ".eslintrc.json", ".eslintrc.js", ".prettierrc", ".editorconfig",
		".tool-versions", ".mise.toml", "mise.toml", ".nvmrc", ".node-version", ".python-version", ".ruby-version", "rust-toolchain",
		"rust-toolchain.toml", ".cargo/config", ".cargo/config.toml", ".bazelrc",
	}
}

// FoundAbove lists the files with one of these names in the folders above others. It looks into each folder once.
func FoundAbove(names []string, dirs ...string) []string {
	var found []string
	seen := map[string]bool{}
	for _, dir := range dirs {
		// Folders of several trees share most of the way up.
		for at := filepath.Dir(disk.RealPath(dir)); !seen[at]; at = filepath.Dir(at) {
			seen[at] = true
			if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) {
				continue
			}
			for _, name := range names {
				path := filepath.Join(at, filepath.FromSlash(name))
				if _, err := os.Lstat(path); err == nil {
					found = append(found, path)
				}
			}
		}
	}
	return found
}

// ClearBeside removes everything but check trees from chant's own folder for them: tools would find it there, and only
// a command or an agent can have put it there.
func ClearBeside(tree string) error {
	entries, err := os.ReadDir(filepath.Dir(tree))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		// Another process may be testing the folder, or checking in it.
		if strings.HasPrefix(entry.Name(), CheckTree) || strings.HasPrefix(entry.Name(), ProbePrefix) {
			continue
		}
		if err := rootdir.Remove(filepath.Join(filepath.Dir(tree), entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// CheckTree begins the name of every check tree.
const CheckTree = ".check-"

// BesideMark separates the number of a further tree of the same check from its id. No id contains it.
const BesideMark = "~"

// CheckedSpec returns the id of the spec whose criteria run in a worktree of this name; false if it is not a check
// tree.
func CheckedSpec(name string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(name, CheckTree)
	id, _, _ = strings.Cut(rest, BesideMark)
	return id, ok
}

// CheckLock is the name of the lock that every check of a spec holds, below the locks.
func CheckLock(id string) string { return CheckTree + id + ".lock" }

// CheckTrees lists the existing check trees of a spec in these folders.
func CheckTrees(dirs []string, id string) []string {
	var out []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			// The folder need not exist.
			continue
		}
		for _, entry := range entries {
			// A tree that is left of a check that was killed is found by its name.
			if of, ok := CheckedSpec(entry.Name()); ok && of == id {
				out = append(out, filepath.Join(dir, entry.Name()))
			}
		}
	}
	return out
}
