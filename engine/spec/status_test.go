package spec

import (
	"strings"
	"testing"
)

func TestParseStatus_words(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]Status{
		"": Pending, "ready": Pending, "blocked": Pending, "pending": Pending, "in_progress": InProgress,
		"paused": Paused, "completed": Completed, "failed": Failed, "needs_attention": NeedsAttention, "cancelled": Cancelled,
	} {
		if got, err := ParseStatus(word); err != nil || got != want {
			t.Errorf("%q = %s, %v; want %s", word, got, err, want)
		}
	}
}

func TestParseStatus_unknown(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"done", "Pending", "in-progress", " pending", "InProgress", "canceled"} {
		got, err := ParseStatus(word)
		if err == nil || got != "" {
			t.Errorf("%q = %q", word, got)
			continue
		}
		if text := err.Error(); !strings.Contains(text, `"`+word+`"`) || !strings.Contains(text, "needs_attention") {
			t.Errorf("%q: the message names neither the word nor the choice: %s", word, text)
		}
	}
}

func TestContainer_types(t *testing.T) {
	t.Parallel()
	for _, kind := range append(Types(), "novel") {
		if want := kind == Driver || kind == Group; kind.Container() != want {
			t.Errorf("%s: Container = %v", kind, !want)
		}
	}
}
