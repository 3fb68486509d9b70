package work

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestQuoteForShell quotes only the words that a shell would divide or expand.
func TestQuoteForShell(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"claude", "--resume", "a/b.c", "x=y", "me@host:1", "50%", "-n", "a+b"} {
		assert.Equal(t, word, quoteForShell(word))
	}
	for _, word := range []string{"", "a b", "$HOME", "`id`", "a;b", "it's", "*", "a\nb", "é", "~", "a\\b", `"`, "#"} {
		got := quoteForShell(word)
		assert.NotEqual(t, word, got)
		assert.HasPrefix(t, got, "'")
		assert.HasSuffix(t, got, "'")
	}
}

// TestShellAssignments quotes the variables of a provider for a shell and leaves out those that hold a secret or that a
// shell cannot set, with a warning that names them.
func TestShellAssignments(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	var warned []string
	p.Progress = func(ev engine.Event) { warned = append(warned, ev.Text) }
	got := shellAssignments(p, "001", []string{"MODE=plain text", "API_TOKEN=abcdefgh12345678", "API_TOKEN_EMPTY=", "bad-name=x", "URL=it's"})
	assert.Equal(t, []string{"MODE='plain text'", "API_TOKEN_EMPTY=''", `URL='it'\''s'`}, got)
	said := strings.Join(warned, "\n")
	assert.Equal(t, 2, len(warned), "warned %q", warned)
	assert.Contains(t, said, "API_TOKEN, which holds a secret", "warned %q", warned)
	assert.Contains(t, said, `"bad-name"`, "warned %q", warned)
	assert.NotContains(t, said, "abcdefgh", "warned %q", warned)
}
