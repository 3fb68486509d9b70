package message

import (
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestSubjectOf(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"chant(2026-01-02-001-abc): done\n":    "2026-01-02-001-abc",
		"\n\nchant(a.1): x":                    "a.1",
		"Mention chant(a): x":                  "",
		"chant: init":                          "",
		"chant(a) done":                        "",
		"chant(): done":                        "",
		"chant(a b): done":                     "",
		"fixup! chant(a): done":                "",
		"Say it\n\nchant(a): is what it says.": "",
		"":                                     "",
	} {
		assert.Equal(t, want, SubjectOf(message), "%q is about", message)
	}
}

func TestCheckMessage(t *testing.T) {
	t.Parallel()
	trailers := func(of, ev string) map[string]string {
		out := map[string]string{}
		if of != "" {
			out[SpecTrailer] = of
		}
		if ev != "" {
			out[EventTrailer] = ev
		}
		return out
	}
	for name, c := range map[string]struct {
		message  string
		trailers map[string]string
		ofRun    string
		why      string // "" when it passes
	}{
		"a person's":           {"Mention chant(a): x", nil, "", ""},
		"chant's":              {"chant(a): start", trailers("a", "start"), "", ""},
		"a word of chant":      {"chant(a): leftovers", trailers("a", "leftovers"), "a", ""},
		"an agent's":           {"chant(a): half of it", nil, "a", ""},
		"of another's run":     {"chant(a): half of it", nil, "b", "has no trailer"},
		"outside":              {"chant(a): half of it", nil, "", "has no trailer"},
		"no event":             {"chant(a): x", trailers("a", ""), "a", "has no trailer \"Chant-Event\""},
		"of no spec":           {"chant(a): x", trailers("", "start"), "a", "has no trailer \"Chant-Spec: a\""},
		"of another":           {"chant(a): x", trailers("b", "start"), "", "names \"b\""},
		"of an unknown event":  {"chant(a): x", trailers("a", "conquer"), "a", "does not know"},
		"of an event in caps":  {"chant(a): x", trailers("a", "START"), "", "does not know"},
		"a replay, as machine": {"chant(a): replay", trailers("a", "replay"), "", ""},
	} {
		err := CheckMessage(c.message, c.trailers, c.ofRun)
		wrong, ok := errors.AsType[*Error](err)
		assert.Equal(t, c.why != "", ok, "%s: %v", name, err)
		assert.False(t, ok && !strings.Contains(wrong.Error(), c.why), "%s: %v, want %q", name, err, c.why)
	}
}
