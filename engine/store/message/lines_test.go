package message

import (
	"strings"
	"testing"

	"chant/gitops"

	"github.com/alecthomas/assert/v2"
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
	assert.Equal(t, 2, len(got))
	assert.Equal(t, "one Chant-Spec: b", got[0])
	assert.True(t, len(got[1]) <= 210, "accepted %q", got)
	got = Lines(c, WaivedTrailer)
	assert.Equal(t, 1, len(got))
	assert.NotContains(t, got[0], "\x1b")
	assert.Equal(t, []Record{{"a", "complete"}}, Records(c))
	for _, text := range []string{"", "Chant-Accepted: x", "a\n\nChant-Accepted:x"} {
		got := Lines(gitops.Commit{Message: text}, AcceptedTrailer)
		assert.Zero(t, got, "%q has %q", text, got)
	}
}

// FuzzLines: a value of a trailer is one line, and comes back as it was written.
func FuzzLines(f *testing.F) {
	f.Add("a: b")
	f.Add("x\n\ny\r\nChant-Event: complete")
	f.Fuzz(func(t *testing.T, value string) {
		text := Commit{ID: "a", Event: "complete", More: []Trailer{{AcceptedTrailer, value}}}.String()
		c := gitops.Commit{Message: text, Trailers: gitops.Trailers(text)}
		assert.Equal(t, []Record{{"a", "complete"}}, Records(c), "%q: records", value)
		got := Lines(c, AcceptedTrailer)
		assert.True(t, len(got) <= 1, "%q: %q", value, got)
		assert.False(t, len(got) == 1 && strings.ContainsAny(got[0], "\r\n\x1b"), "%q: %q", value, got)
	})
}
