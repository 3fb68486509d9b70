package spec

import (
	"fmt"
	"slices"
	"strings"
)

// Status is the status of a spec as its front matter has it.
type Status string

// The seven statuses that are stored.
const (
	Pending        Status = "pending"
	InProgress     Status = "in_progress"
	Paused         Status = "paused"
	Completed      Status = "completed"
	Failed         Status = "failed"
	NeedsAttention Status = "needs_attention"
	Cancelled      Status = "cancelled"
)

// Invalid is what results have as the status of a file that cannot be read. It is never stored.
const Invalid Status = "invalid"

// Statuses lists every status in the order for output.
func Statuses() []Status {
	return []Status{Pending, InProgress, Paused, Completed, Failed, NeedsAttention, Cancelled}
}

// ParseStatus reads the word for a status. The empty word and the two computed statuses, ready and blocked, are read as
// pending.
func ParseStatus(word string) (Status, error) {
	switch word {
	// Older files have stored these words.
	case "", "ready", "blocked":
		return Pending, nil
	}
	if s := Status(word); slices.Contains(Statuses(), s) {
		return s, nil
	}
	return "", fmt.Errorf("unknown status %q (one of %s)", word, strings.Join(StatusWords(), ", "))
}

// StatusWords lists the words of all statuses, in the order of Statuses.
func StatusWords() []string {
	words := make([]string, 0, len(Statuses()))
	for _, s := range Statuses() {
		words = append(words, string(s))
	}
	return words
}

// Type is the kind of work that a spec describes. Unknown types are kept and treated like Code.
type Type string

// The known types.
const (
	Code          Type = "code"
	Task          Type = "task"
	Driver        Type = "driver"
	Documentation Type = "documentation"
	Research      Type = "research"
	Group         Type = "group"
)

// Types lists the known types.
func Types() []Type {
	return []Type{Code, Task, Driver, Documentation, Research, Group}
}

// TypeWords returns the names of all types.
func TypeWords() []string {
	var words []string
	for _, t := range Types() {
		words = append(words, string(t))
	}
	return words
}

// Container reports whether specs of this type only have members and are never run themselves.
func (t Type) Container() bool { return t == Driver || t == Group }
