package refstore

import (
	"errors"
	"fmt"
)

// ErrUnborn says that there is no commit yet.
var ErrUnborn = errors.New("the branch has no commit yet")

// ErrChanged says that a ref did not have the expected value.
var ErrChanged = errors.New("the ref was changed by someone else")

// BrokenError says that the file of a ref holds neither a hash nor the name of another ref.
type BrokenError struct{ Ref, File, Value string }

// Error names the ref and what it holds.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("ref %q is broken: it holds %q", e.Ref, beginning(e.Value))
}

// beginning is what a person needs to see of a value that should be a name.
func beginning(value string) string { return value[:min(len(value), 100)] }
