package work

import (
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
)

// TestQuoteForShell quotes only the words that a shell would divide or expand.
func TestQuoteForShell(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"claude", "--resume", "a/b.c", "x=y", "me@host:1", "50%", "-n", "a+b"} {
		if got := quoteForShell(word); got != word {
			t.Errorf("%q became %q", word, got)
		}
	}
	for _, word := range []string{"", "a b", "$HOME", "`id`", "a;b", "it's", "*", "a\nb", "é", "~", "a\\b", `"`, "#"} {
		if got := quoteForShell(word); got == word || !strings.HasPrefix(got, "'") || !strings.HasSuffix(got, "'") {
			t.Errorf("%q became %s", word, got)
		}
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
	if want := []string{"MODE='plain text'", "API_TOKEN_EMPTY=''", `URL='it'\''s'`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	said := strings.Join(warned, "\n")
	if len(warned) != 2 || !strings.Contains(said, "API_TOKEN, which holds a secret") || !strings.Contains(said, `"bad-name"`) || strings.Contains(said, "abcdefgh") {
		t.Errorf("warned %q", warned)
	}
}
