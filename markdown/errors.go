package markdown

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNotEditable is wrapped by the errors of [Document.Apply]: no way of writing the edit was found that
// leaves everything else as it was.
var ErrNotEditable = errors.New("cannot be edited without changing more")

// ErrValue is wrapped by the errors of [Document.Apply]: YAML has no form for the value, such as a function.
var ErrValue = errors.New("value cannot be written as YAML")

// ErrNoBox is wrapped by the errors of [Document.SetChecked]: there is no task at the offset.
var ErrNoBox = errors.New("no task box")

// SyntaxError says where a document breaks its format.
type SyntaxError struct {
	Path string // as given to [Parse]
	Line int    // in the file, from 1
	Msg  string
}

// DuplicateKey reports whether the error is a duplicate key.
func (e *SyntaxError) DuplicateKey() bool {
	return strings.HasPrefix(e.Msg, "key ") && strings.Contains(e.Msg, " appears twice, first on line ") ||
		strings.HasPrefix(e.Msg, "mapping key ") && strings.Contains(e.Msg, " already defined at line ")
}

// Error returns "path:line: msg".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Msg)
}
