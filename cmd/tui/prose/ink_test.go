package prose

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

func TestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"short", 10, "short"}, {"exact", 5, "exact"}, {"longer", 5, "long…"}, {"x", 0, ""}, {"xy", 1, "…"},
		{"漢字漢字", 5, "漢字…"}, {"漢字", 3, "漢…"}, {"e\u0301a", 2, "e\u0301a"},
	} {
		assert.Equal(t, c.want, Fit(c.text, c.width), "%q in %d", c.text, c.width)
		if got := Fill(c.text, c.width); Width(got) != c.width {
			t.Errorf("%q fills %d of %d cells", got, Width(got), c.width)
		}
	}
	got := Fill(Red.Paint("longer"), 5)
	assert.Equal(t, 5, Width(got))
	assert.Contains(t, got, "\x1b[31m")
}

func TestStyle(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"x": None.Paint("x"), "\x1b[1;31mx\x1b[m": Bold.And(Red).Paint("x"), "": Bold.Paint(""), "\x1b[2mx\x1b[m": None.And(Faint).Paint("x"),
	} {
		assert.Equal(t, want, got)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"plain": "plain", "a\tb\nc": "a b c", "\x1b[31mred\x1b[0m": "red", "\x1b]0;title\x07x": "x", "a\u202eb": "ab", "\xff": "?", "a\rb": "ab",
	} {
		assert.Equal(t, want, Clean(raw), "%q", raw)
	}
	assert.Equal(t, "a|    b", strings.Join(Lines("a\r\n\tb\n\n"), "|"))
}

// FuzzBreak: whatever a line contains, its pieces fit, and nothing in them moves the cursor.
func FuzzBreak(f *testing.F) {
	f.Add("a long line with 漢字 and \x1b[31mcolours", 7)
	f.Add("\u0301\u0301", 1)
	f.Fuzz(func(t *testing.T, raw string, width int) {
		width = 2 + max(0, width)%200 // no character is wider
		for _, line := range Lines(raw) {
			for _, piece := range Break(line, width) {
				assert.True(t, Width(piece) <= width, "%q in %d cells: %q", raw, width, piece)
				assert.True(t, utf8.ValidString(piece), "%q in %d cells: %q", raw, width, piece)
				assert.False(t, strings.ContainsAny(piece, "\x1b\r\n\a"), "%q in %d cells: %q", raw, width, piece)
			}
			assert.Equal(t, width, Width(Fill(line, width)), "%q fills", line)
		}
	})
}
