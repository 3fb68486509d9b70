package gitops

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Sentinels. What is returned usually wraps one with the name of the thing it is about.
var (
	// ErrNotRepository says that a folder is in no repository, or is not (any more) the
	// worktree it is used as.
	ErrNotRepository = errors.New("not a git repository")
	// ErrBare says that the repository has no main worktree.
	ErrBare = errors.New("the repository is bare, it has no main worktree")
	// ErrUnborn says that there is no commit yet.
	ErrUnborn = errors.New("the branch has no commit yet")
	// ErrNotFound says that a ref, path, object or note does not exist.
	ErrNotFound = errors.New("not found")
	// ErrChanged says that a ref did not have the expected value.
	ErrChanged = errors.New("the ref was changed by someone else")
	// ErrCheckedOut says that a branch is checked out in another worktree.
	ErrCheckedOut = errors.New("the branch is checked out in another worktree")
)

// VersionError says that git is missing (Have is empty) or older than this package needs.
type VersionError struct{ Have, Want string }

func (e *VersionError) Error() string {
	if e.Have == "" {
		return fmt.Sprintf("git is not on the PATH; install git %s or newer", e.Want)
	}
	return fmt.Sprintf("git %s is too old; install git %s or newer", e.Have, e.Want)
}

// GitError is a git command that failed. Args are what followed "git", without the
// settings that every call carries; Stderr is what git said, at most 64 KiB.
type GitError struct {
	Args     []string
	ExitCode int
	Stderr   string
}

// Error is one line: the subcommand and the line of Stderr that tells why, or that there
// was none, as when a hook refuses without a word.
func (e *GitError) Error() string {
	name := "git"
	if len(e.Args) > 0 {
		name = "git " + e.Args[0]
	}
	if line := reason(e.Stderr); line != "" {
		return name + ": " + line
	}
	if e.ExitCode < 0 {
		return name + " was ended from outside and said nothing"
	}
	return fmt.Sprintf("%s ended with exit status %d and said nothing", name, e.ExitCode)
}

// reason finds the line that tells most: the first fatal or error line, else the last
// line that is not a hint.
func reason(stderr string) string {
	last := ""
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		for _, prefix := range []string{"fatal: ", "error: "} {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				return strings.TrimSuffix(rest, ".")
			}
		}
		if line != "" && !strings.HasPrefix(line, "hint:") {
			last = line
		}
	}
	return strings.TrimSuffix(last, ".")
}

// ConflictError says that a merge was refused or cannot be made, and nothing was changed.
// Files are the paths with local changes, untracked and ignored files among them, that
// stand in the way; without any, Msg says what does. Op is "merge", "rebase" or
// "fast-forward".
type ConflictError struct {
	Op    string
	Files []string
	Msg   string
}

// shownFiles is how many paths a message names before it only counts.
const shownFiles = 8

// Error is one sentence, which does not name Op.
func (e *ConflictError) Error() string {
	if len(e.Files) == 0 {
		return e.Msg
	}
	var names []string
	for _, file := range e.Files[:min(len(e.Files), shownFiles)] {
		names = append(names, strconv.Quote(file))
	}
	text := "local changes to " + strings.Join(names, ", ")
	if more := len(e.Files) - shownFiles; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + " are in the way"
}

// LockError says that a lock is held, and by whom as far as the file tells.
type LockError struct {
	Path   string
	Holder Holder
}

func (e *LockError) Error() string {
	h := e.Holder
	if h.PID == 0 {
		return fmt.Sprintf("the lock %q is held by another process", e.Path)
	}
	return fmt.Sprintf("the lock %q is held by process %d on %q since %s (%s)",
		e.Path, h.PID, h.Host, h.Since.Format(time.RFC3339), h.What)
}

// exitCode is that of a failed git command, 0 for any other error or none.
func exitCode(err error) int {
	var failed *GitError
	if errors.As(err, &failed) {
		return failed.ExitCode
	}
	return 0
}
