package providers

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/alecthomas/assert/v2"
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
		readLines(iotest.OneByteReader(strings.NewReader(input)), 5, func(text []byte, dropped int) use {
			entry := string(text)
			if dropped > 0 {
				entry += "+" + string(rune('0'+dropped))
			}
			got = append(got, entry)
			return unused
		}, nil)
		assert.Equal(t, strings.Join(want, "|"), strings.Join(got, "|"), "%q", input)
		assert.Equal(t, len(want), len(got), "%q", input)
	}
}

// TestReadLines_enough: of what comes after enough, the lines at the end are passed on, and the rest is counted.
func TestReadLines_enough(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rest    string
		want    string
		skipped int64
	}{
		"nothing": {"", "a", 0},
		"little":  {"b\nc", "a b c", 0},
		"much":    {strings.Repeat("0123456\n", endSize/8) + "last\n", "", 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			var skipped int64
			readLines(strings.NewReader("a\n"+c.rest), 10, func(text []byte, _ int) use {
				got = append(got, string(text))
				return enough
			}, func(bytes int64) { skipped = bytes })
			assert.False(t, c.want != "" && strings.Join(got, " ") != c.want, "got %q, want %q", got, c.want)
			assert.Equal(t, c.skipped, skipped)
			if c.want == "" && (len(got) != endSize/8+1 || got[len(got)-1] != "last") {
				t.Errorf("got %d lines, the last %q", len(got), got[len(got)-1])
			}
		})
	}
}

// TestFlood: after the limit only the end of a stream without a protocol counts, and of others the lines with an object.
func TestFlood(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		flood flood
		line  string
		want  use
	}{
		"before the limit":    {flood{plain: true}, "y", sent},
		"after many lines":    {flood{plain: true, lines: maxLines}, "y", enough},
		"no protocol":         {flood{plain: true, read: maxOutput}, "y", enough},
		"an object":           {flood{read: maxOutput}, ` {"type":"result"}`, sent},
		"beside the protocol": {flood{read: maxOutput}, "y", unused},
		"nothing in it":       {flood{read: maxOutput}, "", unused},
	} {
		assert.Equal(t, c.want, c.flood.use([]byte(c.line)), "%s", name)
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
		readLines(bytes.NewReader(input), limit, func(text []byte, dropped int) use {
			assert.True(t, i < len(want), "line %d: %q and %d dropped", i, text, dropped)
			assert.True(t, bytes.HasPrefix(want[i], text), "line %d: %q and %d dropped", i, text, dropped)
			assert.Equal(t, len(want[i]), len(text)+dropped)
			assert.True(t, len(text) <= limit, "line %d: %q and %d dropped", i, text, dropped)
			i++
			return unused
		}, nil)
		assert.Equal(t, len(want), i)
	})
}

func TestShort(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		time.Hour: "60m", 10 * time.Minute: "10m", 90 * time.Second: "90s", 1500 * time.Millisecond: "1.5s",
	} {
		assert.Equal(t, want, formatDuration(d), "%v", d)
	}
}
