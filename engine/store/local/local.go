package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chant/gitops/layout"
)

// Dir is the folder that makes a repository a chant project.
const Dir = ".chant"

// Kind is a folder of state of one machine, which is never tracked.
type Kind string

// The folders of local state: Runs, Locks, Numbers, Writes and Questions below "chant" in git's common directory, the
// others in home's .chant.
const (
	Logs      Kind = "logs"
	Runs      Kind = "runs"
	Worktrees Kind = "worktrees"
	Locks     Kind = "locks"
	Cache     Kind = "cache"
	HeldOut   Kind = "heldout" // criteria that agents do not see; an encrypted file is committed all the same
	Writes    Kind = "writes"  // changes of several files that are being written
	Numbers   Kind = "numbers" // the last number that was given to a task of each project, and to a sprint
	Questions Kind = "questions"
)

// isShared reports whether a folder is in git's common directory, where "git clean -fdx" does not
// remove it.
func (kind Kind) isShared() bool {
	return kind == Runs || kind == Locks || kind == Numbers || kind == Writes || kind == Questions
}

// Files are the files of a project on one machine that are never tracked: journals, logs, locks and caches.
type Files struct{ common, state, home string }

// FilesIn returns the files of a project: common is git's common directory, home the top of the main worktree, both absolute.
func FilesIn(common, home string) Files { return Files{common, filepath.Join(common, "chant"), home} }

// GoneError says that the repository at Home was moved or removed since it was opened.
type GoneError struct{ Home string }

// Error names the folder.
func (e *GoneError) Error() string {
	return fmt.Sprintf("the repository %q was moved or removed", e.Home)
}

// Local returns the absolute path of a name in a local folder. On first use it
// creates the folder, and for one in home the file that hides it from git. Errors: *GoneError.
func (l Files) Local(kind Kind, name string) (string, error) {
	dir := l.LocalPath(kind, "")
	// In a repository that was moved or removed, making the folder would begin another one in its place.
	if _, err := os.Lstat(l.common); errors.Is(err, fs.ErrNotExist) {
		return "", &GoneError{l.home}
	}
	if kind.isShared() {
		if err := layout.MkdirAll(dir); err != nil {
			return "", fmt.Errorf("chant keeps locks and journals in git's folder: %w", err)
		}
		return filepath.Join(dir, name), nil
	}
	// The folder ignores itself, so `git status` never shows it, whatever .gitignore the project has.
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
func (l Files) LocalPath(kind Kind, name string) string {
	if kind.isShared() {
		return filepath.Join(l.state, string(kind), name)
	}
	return filepath.Join(l.home, Dir, string(kind), name)
}

// LogPath is the log of a spec; it need not exist.
func (l Files) LogPath(id string) string { return l.LocalPath(Logs, id+".log") }

// JournalPath is the journal of a spec; it need not exist.
func (l Files) JournalPath(id string) string { return l.LocalPath(Runs, id+".jsonl") }

// LockPath is the lock of a run; it need not exist.
func (l Files) LockPath(id string) string { return l.LocalPath(Locks, id+".lock") }

// FileError says what is wrong with the file at a path.
type FileError struct{ Path, Msg string }

// Error names the path.
func (e *FileError) Error() string { return fmt.Sprintf("%q %s", e.Path, e.Msg) }
