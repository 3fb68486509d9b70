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

// Paths below home, in the notation of git.
const (
	ConfigPath   = Dir + "/config.md"
	SpecsDir     = Dir + "/" + archive.Active
	ArchiveDir   = Dir + "/" + archive.Root
	PromptsDir   = Dir + "/prompts"
	ProvidersDir = Dir + "/providers"
	SprintsDir   = Dir + "/sprints"
)

// SprintPath is the path of a sprint, relative to the top of a worktree.
func SprintPath(n int) string { return fmt.Sprintf("%s/%d.md", SprintsDir, n) }

// SpecPath is the path of a spec, relative to the top of a worktree.
func SpecPath(id string) string { return Dir + "/" + archive.ActivePath(id) }

// SpecOf is the id of the spec at a path relative to the top of a worktree, false
// for other paths. Files whose name begins with a dot are not specs.
func SpecOf(file string) (id string, ok bool) {
	id, ok = strings.CutSuffix(path.Base(file), ".md")
	return id, ok && file == SpecPath(id) && id != "" && id[0] != '.'
}

// ArchivedOf is the id of the spec whose archived file has this path relative to the top of a worktree,
// false for other paths.
func ArchivedOf(file string) (id string, ok bool) {
	below, ok := strings.CutPrefix(file, Dir+"/")
	if !ok {
		return "", false
	}
	return archive.Archived(below)
}

// Places lists the paths, relative to the top of a worktree, at which any version of chant puts the file of a
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

// Local is a folder of state of one machine, which is never tracked.
type Local string

// The folders of local state: Runs, Locks, Numbers and Writes below "chant" in git's common directory, the others
// in home's .chant.
const (
	Logs      Local = "logs"
	Runs      Local = "runs"
	Worktrees Local = "worktrees"
	Locks     Local = "locks"
	Cache     Local = "cache"
	Writes    Local = "writes"  // changes of several files that are being written
	Numbers   Local = "numbers" // the last number that was given to a task of each project, and to a sprint
)

// shared reports whether a folder is in git's common directory, where "git clean -fdx" does not
// remove it.
func (kind Local) shared() bool {
	return kind == Runs || kind == Locks || kind == Numbers || kind == Writes
}

// Locals are the files of a project on one machine that are never tracked: journals, logs, locks and caches.
type Locals struct{ common, home string } // git's common directory and the top of the main worktree, absolute

// Local returns the absolute path of a name in a local folder. On first use it
// creates the folder, and for one in home the file that hides it from git.
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

// LocalPath is the path of a local name; it and its folder need not exist.
func (l Locals) LocalPath(kind Local, name string) string {
	if kind.shared() {
		return filepath.Join(l.common, "chant", string(kind), name)
	}
	return filepath.Join(l.home, Dir, string(kind), name)
}

// LogPath is the log of a spec; it need not exist.
func (l Locals) LogPath(id string) string { return l.LocalPath(Logs, id+".log") }

// JournalPath is the journal of a spec; it need not exist.
func (l Locals) JournalPath(id string) string { return l.LocalPath(Runs, id+".jsonl") }

// LockPath is the lock of a run; it need not exist.
func (l Locals) LockPath(id string) string { return l.LocalPath(Locks, id+".lock") }
