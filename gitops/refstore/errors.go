package refstore

import "errors"

// ErrUnborn says that there is no commit yet.
var ErrUnborn = errors.New("the branch has no commit yet")

// ErrChanged says that a ref did not have the expected value.
var ErrChanged = errors.New("the ref was changed by someone else")
