package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

func TestEndsWriter(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 29, 30, 31, 59, 60, 61, 1000} {
		for _, piece := range []int{1, 7, 1000} {
			text := strings.Repeat("abcdefghij", size/10+1)[:size]
			k := NewEndsWriter(30)
			for rest := text; rest != ""; {
				n := min(piece, len(rest))
				k.Write([]byte(rest[:n]))
				rest = rest[n:]
			}
			got := k.String()
			assert.False(t, size <= 30 && got != text, "%d by %d: %q", size, piece, got)
			if size > 30 && (!strings.HasPrefix(got, text[:10]+"\n[…") || !strings.HasSuffix(got, "…]\n"+text[size-20:])) {
				t.Errorf("%d by %d: %q", size, piece, got)
			}
		}
	}
	k := NewEndsWriter(30)
	k.Write([]byte(strings.Repeat("é", 100)))
	assert.True(t, utf8.ValidString(k.String()), "half a rune")
}
