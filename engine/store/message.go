package store

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"chant/engine/spec"
	"chant/gitops"
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
	fmt.Fprintf(&b, "%s: %s\n%s: %s\n", spec.SpecTrailer, m.ID, spec.EventTrailer, m.Event)
	if m.Attempt > 0 {
		fmt.Fprintf(&b, "Chant-Attempt: %d\n", m.Attempt)
	}
	return Readable(b.String())
}

// Readable is a text without what no commit may say (NUL) and no terminal should do.
func Readable(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, "?"))
}

// Says is what a commit says of itself by its trailers: which spec it is about, and what
// happened to that. Anybody can write them.
func Says(c gitops.Commit) (id, event string) {
	return c.Trailers[spec.SpecTrailer], c.Trailers[spec.EventTrailer]
}
