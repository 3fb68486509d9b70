package spec

import (
	"fmt"
	"slices"
	"strings"
)

// Status is where a spec stands, as its front matter spells it.
type Status string

// The seven statuses that a file keeps.
const (
	Pending        Status = "pending"
	InProgress     Status = "in_progress"
	Paused         Status = "paused"
	Completed      Status = "completed"
	Failed         Status = "failed"
	NeedsAttention Status = "needs_attention"
	Cancelled      Status = "cancelled"
)

// Statuses lists every status in the order in which people read them.
func Statuses() []Status {
	return []Status{Pending, InProgress, Paused, Completed, Failed, NeedsAttention, Cancelled}
}

// ParseStatus reads a status word. The empty word and the two computed ones,
// ready and blocked, read as pending.
func ParseStatus(word string) (Status, error) {
	switch word {
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

// Type says what kind of work a spec is. Unknown types are kept and work like
// Code.
type Type string

// The types that mean something to chant.
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

// Container reports whether specs of this type only hold members and are never
// run themselves.
func (t Type) Container() bool { return t == Driver || t == Group }
