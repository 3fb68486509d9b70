package revision

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("a", 40) + "\n"
	for _, lines := range []int{1, 10, 499, 500, 999, 1000, 5000} {
		all := []byte(strings.Repeat(line, lines))
		for _, n := range []int{1, 2, 8} {
			parts := split(all, n)
			assert.Equal(t, all, bytes.Join(parts, nil), "%d lines", lines)
			assert.True(t, len(parts) <= n, "%d lines in %d parts of %d", lines, len(parts), n)
			for _, part := range parts {
				assert.Equal(t, 0, len(part)%len(line), "%d lines: a part", lines)
				assert.False(t, len(parts) > 1 && len(part) < fullPart/2, "%d lines: a part has %d bytes", lines, len(part))
			}
		}
	}
}
