package text

import "testing"

func TestAmount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1.00k", 12345: "12.3k", 123456: "123k", 999_600: "1.00M", 45_600_000: "45.6M", 7_000_000_000: "7.00G"} {
		if got := Amount(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
