package words

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCache: what is remembered of a chain is what was put last, and only chains are forgotten.
func TestCache(t *testing.T) {
	t.Parallel()
	chains := rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 9).Draw(t, "odd") > 0 {
			return strconv.Itoa(rapid.IntRange(0, 2000).Draw(t, "number"))
		}
		return rapid.SampledFrom([]string{"", "日本語", strings.Repeat("x", MaxBytes), strings.Repeat("x", MaxBytes+1)}).Draw(t, "chain")
	})
	rapid.Check(t, func(t *rapid.T) {
		c, want := NewCache[int](rapid.IntRange(1, 2000).Draw(t, "most")), map[string]int{}
		for n := range rapid.IntRange(0, 2000).Draw(t, "steps") {
			chain := chains.Draw(t, "chain")
			c.Put(chain, n)
			if chain == "" || len(chain) > MaxBytes {
				if _, ok := c.Get(chain); ok {
					t.Fatalf("%q is remembered", chain)
				}
				continue
			}
			want[chain] = n
			if got, ok := c.Get(chain); !ok || got != n {
				t.Fatalf("%q: %d, %v just after %d was put", chain, got, ok, n)
			}
		}
		held := 0
		for chain, n := range want {
			if got, ok := c.Get(chain); ok {
				held++
				if got != n {
					t.Errorf("%q: %d, want %d", chain, got, n)
				}
			}
		}
		if held != c.Len() {
			t.Errorf("%d chains are remembered, Len says %d", held, c.Len())
		}
		c.Clear()
		for chain := range want {
			if _, ok := c.Get(chain); ok || c.Len() != 0 {
				t.Errorf("%q is remembered after Clear, %d are", chain, c.Len())
			}
		}
	})
}
