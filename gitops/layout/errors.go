package layout

import "errors"

// ErrNotRepository says that a folder is in no repository, or is not (any more) the
// worktree it is used as.
var ErrNotRepository = errors.New("not a git repository")

// ErrBare says that the repository has no main worktree.
var ErrBare = errors.New("the repository is bare, it has no main worktree")

// ErrNotFound says that a ref, path, object or note does not exist.
var ErrNotFound = errors.New("not found")
