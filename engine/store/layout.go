package store

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chant/archive"
)

// Dir is the folder that makes a repository a chant project.
const Dir = ".chant"

// Places below home, as git spells paths.
const (
	ConfigPath   = Dir + "/config.md"
	SpecsDir     = Dir + "/" + archive.Active
	ArchiveDir   = Dir + "/" + archive.Root
	PromptsDir   = Dir + "/prompts"
	ProvidersDir = Dir + "/providers"
)

// SpecPath is where the spec with this id lies, relative to the top of a tree.
func SpecPath(id string) string { return Dir + "/" + archive.ActivePath(id) }

// SpecOf is the id of the spec that lies at a path relative to the top of a tree, false
// where no spec can lie; one whose name begins with a dot is none.
func SpecOf(file string) (id string, ok bool) {
	id, ok = strings.CutSuffix(path.Base(file), ".md")
	return id, ok && file == SpecPath(id) && id != "" && id[0] != '.'
}

// ArchivedOf is the id of the spec whose archived file has a path relative to the top of a tree,
// false for every other path.
func ArchivedOf(file string) (id string, ok bool) {
	below, ok := strings.CutPrefix(file, Dir+"/")
	if !ok {
		return "", false
	}
	return archive.Archived(below)
}

// Places lists the paths, relative to the top of a tree, at which chant has ever put the file of a
// spec.
func Places(id string) []string {
	out := archive.Places(id)
	for i, name := range out {
		out[i] = Dir + "/" + name
	}
	return out
}

// ErrNotInitialized says that there is no `.chant/specs` folder. Its text is part
// of the MCP contract.
//
//lint:ignore ST1005 the contract fixes the text
var ErrNotInitialized = errors.New("Chant not initialized. Run `chant init` first.")

// Local is a folder of state that belongs to one machine and is never tracked.
type Local string

// The folders of local state: Runs and Locks below "chant" in git's common directory, the others
// in home's .chant.
const (
	Logs      Local = "logs"
	Runs      Local = "runs"
	Worktrees Local = "worktrees"
	Locks     Local = "locks"
	Cache     Local = "cache"
)

// shared reports whether a folder lies in git's common directory, where neither a person nor an
// agent removes it with "git clean -fdx".
func (kind Local) shared() bool { return kind == Runs || kind == Locks }

// Locals are the files of a project that belong to one machine and are never tracked: journals, logs, locks and caches.
type Locals struct{ common, home string } // git's common directory and the top of the main worktree, absolute

// Local returns the absolute path of a name inside a local folder, which it
// makes on first use, together with the file that hides it from git where it lies in home.
func (l Locals) Local(kind Local, name string) (string, error) {
	dir := l.LocalPath(kind, "")
	if kind.shared() {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", fmt.Errorf("chant keeps locks and journals in git's folder: %w", err)
		}
		return filepath.Join(dir, name), nil
	}
	marker := filepath.Join(dir, ".gitignore")
	if _, err := os.Stat(marker); err != nil {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", fmt.Errorf("make folder %q: %w", dir, err)
		}
		if err := os.WriteFile(marker, []byte("*\n"), 0o644); err != nil {
			return "", fmt.Errorf("write %q: %w", marker, err)
		}
	}
	return filepath.Join(dir, name), nil
}

// LocalPath is the path of a local name; neither it nor its folder may exist.
func (l Locals) LocalPath(kind Local, name string) string {
	if kind.shared() {
		return filepath.Join(l.common, "chant", string(kind), name)
	}
	return filepath.Join(l.home, Dir, string(kind), name)
}

// LogPath is the log of a spec; it may not exist.
func (l Locals) LogPath(id string) string { return l.LocalPath(Logs, id+".log") }

// JournalPath is the journal of a spec; it may not exist.
func (l Locals) JournalPath(id string) string { return l.LocalPath(Runs, id+".jsonl") }

// LockPath is the lock of a run; it may not exist.
func (l Locals) LockPath(id string) string { return l.LocalPath(Locks, id+".lock") }
