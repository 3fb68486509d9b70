package revision

import (
	"bytes"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("a", 40) + "\n"
	for _, lines := range []int{1, 10, 499, 500, 999, 1000, 5000} {
		all := []byte(strings.Repeat(line, lines))
		for _, n := range []int{1, 2, 8} {
			parts := split(all, n)
			if !bytes.Equal(bytes.Join(parts, nil), all) || len(parts) > n {
				t.Errorf("%d lines in %d parts of %d", lines, len(parts), n)
			}
			for _, part := range parts {
				if len(part)%len(line) != 0 || len(parts) > 1 && len(part) < fullPart/2 {
					t.Errorf("%d lines: a part has %d bytes", lines, len(part))
				}
			}
		}
	}
}
