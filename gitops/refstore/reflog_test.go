package refstore

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestParseReflog reads what git writes, and skips all else.
func TestParseReflog(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	who := " A <a@example.com> 1700000000 +0000\t"
	for text, want := range map[string][]HeadEntry{
		"":                                nil,
		a + " " + b + who + "commit: x\n": {{a, b, "commit: x"}},
		a + " " + b + who + "commit: x\r\n" + b + " " + a + who: {{a, b, "commit: x"}, {b, a, ""}},
		"x " + b + who + "y\n" + a + "\n\n" + a + " " + b:       {{a, b, ""}},
	} {
		assert.Equal(t, want, parseReflog(text), "%q", text)
	}
}

// FuzzParse reads reflogs and packed refs of any content: whatever comes of it has hashes.
func FuzzParse(f *testing.F) {
	f.Add(strings.Repeat("a", 40) + " " + strings.Repeat("b", 40) + " A <a> 1 +0\tcommit: x\n")
	f.Add("# pack-refs\n" + strings.Repeat("a", 40) + " refs/tags/v1\n^" + strings.Repeat("b", 40) + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range parseReflog(text) {
			assert.True(t, len(e.From) >= 40, "%q", e)
			assert.True(t, len(e.To) >= 40, "%q", e)
			assert.False(t, strings.ContainsAny(e.Why, "\n"), "%q", e)
		}
		eachPacked(text, func(name, hash string) bool {
			if len(hash) < 40 || strings.ContainsAny(name, "\n") {
				t.Errorf("%q %q", name, hash)
			}
			return true
		})
	})
}
