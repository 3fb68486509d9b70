package merging

import (
	"fmt"
	"strconv"
	"strings"
)

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
