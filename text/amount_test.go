package text

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestAmount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1.00k", 12345: "12.3k", 123456: "123k", 999_600: "1.00M", 45_600_000: "45.6M", 7_000_000_000: "7.00G"} {
		assert.Equal(t, want, Amount(n), "%d", n)
	}
}
