package gitops

import (
	"errors"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"fmt"
	"strconv"
	"strings"
)

// These are the errors of the packages below that callers look for.
var (
	// ErrNotRepository says that a folder is in no repository, or is not (any more) the
	// worktree it is used as.
	ErrNotRepository = layout.ErrNotRepository
	// ErrBare says that the repository has no main worktree.
	ErrBare = layout.ErrBare
	// ErrNotFound says that a ref, path, object or note does not exist.
	ErrNotFound = layout.ErrNotFound
)

// GitError is a git command that failed.
type GitError = gitexec.Error

// VersionError says that git is missing or older than this package needs.
type VersionError = gitexec.VersionError

// ErrUnborn says that there is no commit yet.
var ErrUnborn = errors.New("the branch has no commit yet")

// ErrChanged says that a ref did not have the expected value.
var ErrChanged = errors.New("the ref was changed by someone else")

// ErrCheckedOut says that a branch is checked out in another worktree.
var ErrCheckedOut = errors.New("the branch is checked out in another worktree")

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
