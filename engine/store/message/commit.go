package message

import (
	"cmp"
	"fmt"
	"strings"

	"chant/gitops"
	"chant/text"
)

// Commit is the message of a commit that records an event.
type Commit struct {
	ID      string
	Event   string
	Subject string // the text after "chant(<id>): ", the event if empty
	Why     string // a paragraph between subject and trailers, optional
	Attempt int    // 0 omits its trailer
	More    []Trailer
}

// Trailer is a further line at the end of a message.
type Trailer struct{ Key, Value string }

// The trailers of a commit that completes a spec: a change that a person accepted although a run may not make it, and
// an approval that was waived.
const (
	AcceptedTrailer = "Chant-Accepted"
	WaivedTrailer   = "Chant-Waived"
)

// MaxAccepted limits how many accepted changes the message of a commit names, so that it does not grow without end.
const MaxAccepted = 20

// UndoesTrailer names the commit that an undo takes back.
const UndoesTrailer = "Chant-Undoes"

// ReviewTrailer is that of a commit with which a person has decided about work in a review, by a word of engine/author/review.
const ReviewTrailer = "Chant-Review"

// maxTrailer limits the columns of a value that are kept.
const maxTrailer = 200

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
	for _, t := range m.More {
		// A line end in a value could begin another trailer.
		fmt.Fprintf(&b, "%s: %s\n", t.Key, text.Clip(text.Printable(text.OneLine(t.Value)), maxTrailer))
	}
	return text.Printable(b.String())
}

// Lines returns the values of a trailer that may be there several times, in their order. Anyone can write such
// trailers.
func Lines(c gitops.Commit, key string) []string {
	// Trailers are in the last paragraph only; the same words above it are text.
	_, end, _ := cutLast(strings.TrimRight(c.Message, "\n"), "\n\n")
	var out []string
	for line := range strings.Lines(end) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), key+": "); ok {
			out = append(out, value)
		}
	}
	return out
}

// SpecAndEvent returns the trailers of a commit: the id of its spec, and the event. Anyone can write
// such trailers.
func SpecAndEvent(c gitops.Commit) (id, event string) {
	return c.Trailers[SpecTrailer], c.Trailers[EventTrailer]
}
