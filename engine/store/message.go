package store

import (
	"cmp"
	"fmt"
	"strings"
)

// Message is the text of a commit that records an event.
type Message struct {
	ID      string
	Event   string
	Subject string // what follows "chant(<id>): ", the event when empty
	Why     string // a paragraph between subject and trailers, may be empty
	Attempt int    // 0 leaves its trailer out
}

// String spells subject, reason and the trailers Chant-Spec, Chant-Event and
// Chant-Attempt.
func (m Message) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "chant(%s): %s\n\n", m.ID, cmp.Or(m.Subject, m.Event))
	if m.Why != "" {
		b.WriteString(strings.TrimSpace(m.Why) + "\n\n")
	}
	fmt.Fprintf(&b, "Chant-Spec: %s\nChant-Event: %s\n", m.ID, m.Event)
	if m.Attempt > 0 {
		fmt.Fprintf(&b, "Chant-Attempt: %d\n", m.Attempt)
	}
	return b.String()
}
