package spec

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestParseStatus_words(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]Status{
		"": Pending, "ready": Pending, "blocked": Pending, "pending": Pending, "in_progress": InProgress,
		"paused": Paused, "completed": Completed, "failed": Failed, "needs_attention": NeedsAttention, "cancelled": Cancelled,
	} {
		got, err := ParseStatus(word)
		assert.NoError(t, err, "%q", word)
		assert.Equal(t, want, got, "%q", word)
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
		text := err.Error()
		assert.Contains(t, text, `"`+word+`"`, "%q: the message names neither the word nor the choice", word)
		assert.Contains(t, text, "needs_attention", "%q: the message names neither the word nor the choice", word)
	}
}

func TestContainer_types(t *testing.T) {
	t.Parallel()
	for _, kind := range append(Types(), "novel") {
		want := kind == Driver || kind == Group
		assert.Equal(t, want, kind.Container(), "%v", !want)
	}
}
