package text

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestDiffWords(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("word ", 30)
	for _, c := range []struct{ was, now, want string }{
		{"", "", ""},
		{"It  prints\nhello", "It prints hello ", ""},
		{"It prints hello", "It prints hello twice", "It prints hello {+twice+}"},
		{"It prints hello twice", "It prints hello", "It prints hello [-twice-]"},
		{"It prints hello", "It shows hello", "It [-prints-] {+shows+} hello"},
		{"a b c d", "a x c y", "a [-b-] {+x+} c [-d-] {+y+}"},
		{"", "all new", "{+all new+}"},
		{many + "old " + many, many + "new " + many, "… word word word word [-old-] {+new+} word word word word …"},
		{"one " + many + "old", "two " + many + "new", "[-one-] {+two+} word word word word … word word word word [-old-] {+new+}"},
	} {
		assert.Equal(t, c.want, DiffWords(c.was, c.now), "%q, %q", c.was, c.now)
	}
	huge := strings.Repeat("x ", 3000)
	assert.Equal(t, "[-a "+strings.TrimSpace(huge)+" b-] {+c "+strings.TrimSpace(huge)+" d+}", DiffWords("a "+huge+"b", "c "+huge+"d"))
}

func TestSharedWords(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 1, SharedWords("", ""))
	assert.Equal(t, 0.8, SharedWords("a b", "a b c"))
	assert.Equal(t, 0, SharedWords("a", "b"))
}
