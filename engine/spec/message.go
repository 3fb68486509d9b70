package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The trailers of a commit that chant makes.
const (
	SpecTrailer  = "Chant-Spec"
	EventTrailer = "Chant-Event"
)

// words are what a commit can say of a spec beside the events of the machine.
func words() []string {
	return []string{
		"add", "edit", "update", "check", "uncheck", "archive", "prep", "land", "leftovers", "merge", "restore", "rescue",
		"approve", "reject", "derive", "fix", "verify", "split",
	}
}

// KnownWord reports whether a commit of chant may say this of a spec.
func KnownWord(word string) bool {
	return slices.Contains(words(), word) || slices.ContainsFunc(Transitions(), func(t Transition) bool { return string(t.Event) == word })
}

var subjectForm = regexp.MustCompile(`^chant\(([^()\s]+)\):`)

// SubjectOf is the id of the spec that a commit is about by the form of its first line,
// "chant(<id>): …", "" for any other: a message that merely mentions chant is a person's.
func SubjectOf(message string) string {
	m := subjectForm.FindStringSubmatch(strings.TrimLeft(message, "\n"))
	if m == nil {
		return ""
	}
	return m[1]
}

// MessageError says why a commit message is not what it looks like.
type MessageError struct{ ID, Why string }

// Error names the spec and the reason.
func (e *MessageError) Error() string {
	return fmt.Sprintf("the message begins with \"chant(%s):\", %s", Echo(e.ID), e.Why)
}

// CheckMessage checks a message of the form "chant(<id>): …" by its trailers:
// *MessageError when they are missing, of another spec or of no event. On the branch of
// a spec's run, which ofRun names, its work is told of without trailers.
func CheckMessage(message string, trailers map[string]string, ofRun string) error {
	id := SubjectOf(message)
	of, ev := trailers[SpecTrailer], trailers[EventTrailer]
	switch {
	case id == "" || id == ofRun && of == "" && ev == "":
		return nil
	case of == "":
		return &MessageError{id, fmt.Sprintf("but has no trailer %q", SpecTrailer+": "+id)}
	case of != id:
		return &MessageError{id, fmt.Sprintf("but its trailer %s names %q", SpecTrailer, Echo(of))}
	case ev == "":
		return &MessageError{id, fmt.Sprintf("but has no trailer %q", EventTrailer)}
	case !KnownWord(ev):
		return &MessageError{id, fmt.Sprintf("but its trailer %s is %q, which chant does not know", EventTrailer, Echo(ev))}
	}
	return nil
}
