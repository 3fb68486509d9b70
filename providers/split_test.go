package providers

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestReadLines(t *testing.T) {
	t.Parallel()
	for input, want := range map[string][]string{
		"":         nil,
		"a":        {"a"},
		"a\n":      {"a"},
		"\n\na":    {"", "", "a"},
		"a\r\nb":   {"a\r", "b"},
		"1234567":  {"12345+2"},
		"12345\n6": {"12345", "6"},
	} {
		var got []string
		readLines(iotest.OneByteReader(strings.NewReader(input)), 5, func(text []byte, dropped int) {
			entry := string(text)
			if dropped > 0 {
				entry += "+" + string(rune('0'+dropped))
			}
			got = append(got, entry)
		})
		if strings.Join(got, "|") != strings.Join(want, "|") || len(got) != len(want) {
			t.Errorf("%q: got %q, want %q", input, got, want)
		}
	}
}

// FuzzReadLines holds that no byte is lost: what is passed on and what is
// counted as dropped is the input.
func FuzzReadLines(f *testing.F) {
	f.Add([]byte("a\nb\n\nc"), 2)
	f.Add(bytes.Repeat([]byte("x"), 200_000), 100_000)
	f.Fuzz(func(t *testing.T, input []byte, limit int) {
		limit = min(max(limit, 1), 1<<20)
		want := bytes.Split(input, []byte("\n"))
		if len(want[len(want)-1]) == 0 {
			want = want[:len(want)-1]
		}
		i := 0
		readLines(bytes.NewReader(input), limit, func(text []byte, dropped int) {
			if i >= len(want) || !bytes.HasPrefix(want[i], text) || len(text)+dropped != len(want[i]) || len(text) > limit {
				t.Fatalf("line %d: %q and %d dropped", i, text, dropped)
			}
			i++
		})
		if i != len(want) {
			t.Errorf("%d lines, want %d", i, len(want))
		}
	})
}

func TestShort(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		time.Hour: "60m", 10 * time.Minute: "10m", 90 * time.Second: "90s", 1500 * time.Millisecond: "1.5s",
	} {
		if got := short(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
