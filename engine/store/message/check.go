package message

import (
	"chant/engine/spec"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The trailers of the commits that chant makes.
const (
	SpecTrailer  = "Chant-Spec"
	EventTrailer = "Chant-Event"
	TaskTrailer  = "Chant-Task"
)

// commitWords lists the values of EventTrailer that are not events of the state machine.
func commitWords() []string {
	return []string{
		"add", "edit", "update", "check", "uncheck", "archive", "prep", "land", "leftovers", "merge", "restore", "rescue",
		"approve", "reject", "review", "undo", "derive", "fix", "verify", "split", "comment", "reference", "delete", "import", "sprint",
	}
}

// KnownWord reports whether a word is a valid value of EventTrailer.
func KnownWord(word string) bool {
	return slices.Contains(commitWords(), word) || slices.ContainsFunc(spec.Transitions(), func(t spec.Transition) bool { return string(t.Event) == word })
}

var subjectForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^chant\(([^()\s]+)\):`)
})

// SubjectOf returns the spec id in a commit message whose first line has the form "chant(<id>): …", and "" for any
// other message.
func SubjectOf(message string) string {
	m := subjectForm().FindStringSubmatch(strings.TrimLeft(message, "\n"))
	if m == nil {
		return ""
	}
	return m[1]
}

// Error reports a commit message that looks like one of chant's but is not.
type Error struct{ ID, Why string }

// Error names the spec and the reason.
func (e *Error) Error() string {
	return fmt.Sprintf("the message begins with \"chant(%s):\", %s", spec.Echo(e.ID), e.Why)
}

// CheckMessage checks the trailers of a message of the form "chant(<id>): …". It returns a *Error if they are
// missing, name another spec or an unknown event. ofRun is the spec whose run branch the commit is on, "" if none:
// there the agent's commits may have that form without trailers.
func CheckMessage(message string, trailers map[string]string, ofRun string) error {
	id := SubjectOf(message)
	of, ev := trailers[SpecTrailer], trailers[EventTrailer]
	switch {
	// On the branch of a run, agents imitate the subjects of chant, which does no harm there.
	case id == "" || id == ofRun && of == "" && ev == "":
		return nil
	case of == "":
		return &Error{id, fmt.Sprintf("but has no trailer %q", SpecTrailer+": "+id)}
	case of != id:
		return &Error{id, fmt.Sprintf("but its trailer %s names %q", SpecTrailer, spec.Echo(of))}
	case ev == "":
		return &Error{id, fmt.Sprintf("but has no trailer %q", EventTrailer)}
	case !KnownWord(ev):
		return &Error{id, fmt.Sprintf("but its trailer %s is %q, which chant does not know", EventTrailer, spec.Echo(ev))}
	}
	return nil
}
