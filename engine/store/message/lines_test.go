package message

import (
	"slices"
	"strings"
	"testing"

	"chant/gitops"
)

// TestLines reads the further trailers that a message was written with, whatever is in their values.
func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	text := Commit{ID: "a", Event: "complete", Why: "Chant-Accepted: not a trailer", More: []Trailer{
		{AcceptedTrailer, "one\nChant-Spec: b"}, {AcceptedTrailer, long}, {WaivedTrailer, "it\x1b[2J waits"},
	}}.String()
	c := gitops.Commit{Message: text, Trailers: gitops.Trailers(text)}
	got := Lines(c, AcceptedTrailer)
	if len(got) != 2 || got[0] != "one Chant-Spec: b" || len(got[1]) > 210 {
		t.Errorf("accepted %q", got)
	}
	if got := Lines(c, WaivedTrailer); len(got) != 1 || strings.Contains(got[0], "\x1b") {
		t.Errorf("waived %q", got)
	}
	if got := Records(c); !slices.Equal(got, []Record{{"a", "complete"}}) {
		t.Errorf("records %q", got)
	}
	for _, text := range []string{"", "Chant-Accepted: x", "a\n\nChant-Accepted:x"} {
		if got := Lines(gitops.Commit{Message: text}, AcceptedTrailer); len(got) > 0 {
			t.Errorf("%q has %q", text, got)
		}
	}
}

// FuzzLines: a value of a trailer is one line, and comes back as it was written.
func FuzzLines(f *testing.F) {
	f.Add("a: b")
	f.Add("x\n\ny\r\nChant-Event: complete")
	f.Fuzz(func(t *testing.T, value string) {
		text := Commit{ID: "a", Event: "complete", More: []Trailer{{AcceptedTrailer, value}}}.String()
		c := gitops.Commit{Message: text, Trailers: gitops.Trailers(text)}
		if got := Records(c); !slices.Equal(got, []Record{{"a", "complete"}}) {
			t.Errorf("%q: records %q", value, got)
		}
		if got := Lines(c, AcceptedTrailer); len(got) > 1 || len(got) == 1 && strings.ContainsAny(got[0], "\r\n\x1b") {
			t.Errorf("%q: %q", value, got)
		}
	})
}
