package weakened

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestPairs: lines are paired by their keys, then by their words; the order is that of the lines before, then of those added.
func TestPairs(t *testing.T) {
	t.Parallel()
	texts := func(before, after string) string {
		var out []string
		for _, p := range pairs(before, after) {
			out = append(out, p.was.text+" -> "+p.is.text)
		}
		return strings.Join(out, "; ")
	}
	assert.Equal(t, "", texts("a: 1\n", "a: 1\n"))
	assert.Equal(t, "a: 1 -> a: 2; run go test -race -> run go test; x -> ;  -> b: 3", texts("a: 1\nrun go test -race\nx\n", "b: 3\nrun go test\na: 2\n"))
	// Many lines are paired in time by keys alone.
	var before, after strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&before, "k%d: a\n", i)
		fmt.Fprintf(&after, "k%d: b\n", i)
	}
	got := pairs(before.String(), after.String())
	assert.Equal(t, 20_000, len(got))
	assert.Equal(t, "k19999: b", got[19_999].is.text)
}
