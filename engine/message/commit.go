package message

import (
	"cmp"
	"fmt"
	"strings"

	"chant/gitops"
	"chant/providers/text"
)

// Commit is the message of a commit that records an event.
type Commit struct {
	ID      string
	Event   string
	Subject string // the text after "chant(<id>): ", the event if empty
	Why     string // a paragraph between subject and trailers, optional
	Attempt int    // 0 omits its trailer
}

// String returns subject, reason and the trailers Chant-Spec, Chant-Event and
// Chant-Attempt.
func (m Commit) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "chant(%s): %s\n\n", m.ID, cmp.Or(m.Subject, m.Event))
	if m.Why != "" {
		b.WriteString(strings.TrimSpace(m.Why) + "\n\n")
	}
	fmt.Fprintf(&b, "%s: %s\n%s: %s\n", SpecTrailer, m.ID, EventTrailer, m.Event)
	if m.Attempt > 0 {
		fmt.Fprintf(&b, "Chant-Attempt: %d\n", m.Attempt)
	}
	return text.Printable(b.String())
}

// Says returns the trailers of a commit: the id of its spec, and the event. Anyone can write
// such trailers.
func Says(c gitops.Commit) (id, event string) {
	return c.Trailers[SpecTrailer], c.Trailers[EventTrailer]
}
