package gitops

import (
	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/gitindex"
	"chant/gitops/layout"

	"chant/gitops/objectstore"
	"chant/gitops/refstore"
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
	// ErrUnborn says that there is no commit yet.
	ErrUnborn = refstore.ErrUnborn
	// ErrChanged says that a ref did not have the expected value.
	ErrChanged = refstore.ErrChanged
	// ErrNoIdentity says that git does not know who commits.
	ErrNoIdentity = gitconfig.ErrNoIdentity
	// ErrSilent says that a remote was not heard of for too long. It may have done what it was asked to.
	ErrSilent = gitexec.ErrSilent
)

// GitError is a git command that failed.
type GitError = gitexec.Error

// TooLargeError says that a file of a worktree is too large for git.
type TooLargeError = gitindex.TooLargeError

// VersionError says that git is missing or older than this package needs.
type VersionError = gitexec.VersionError

// UnfetchedError says that a partial clone does not have an object, and that git could not fetch it.
type UnfetchedError = objectstore.UnfetchedError

// MissingError says that the repository does not have an object that something in it names. It is an ErrNotFound.
type MissingError = objectstore.MissingError

// ReplacedError says that the file of an object has other content than its name says.
type ReplacedError = objectstore.ReplacedError

// BrokenRefError says that the file of a ref holds neither a hash nor the name of another ref.
type BrokenRefError = refstore.BrokenError
