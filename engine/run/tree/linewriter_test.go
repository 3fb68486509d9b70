package tree

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestLineWriter(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxLine+10)
	for name, tc := range map[string]struct{ parts, want []string }{
		"whole":       {[]string{"a\nb\r\n"}, []string{"a", "b"}},
		"in pieces":   {[]string{"a", "b\nc", "", "\n"}, []string{"ab", "c"}},
		"empty lines": {[]string{"\n\na\n"}, []string{"", "", "a"}},
		"no end":      {[]string{"a\nb"}, []string{"a", "b"}},
		"very long":   {[]string{long, "y\n"}, []string{long, "y"}},
	} {
		var got []string
		w := &lineWriter{line: func(text string) error { got = append(got, text); return nil }}
		for _, part := range tc.parts {
			if n, err := w.Write([]byte(part)); err != nil || n != len(part) {
				t.Fatalf("%s: %d, %v", name, n, err)
			}
		}
		if err := w.end(); err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%s: %.60q, %v", name, got, err)
		}
	}
	broken := errors.New("full")
	w := &lineWriter{line: func(string) error { return broken }}
	if _, err := w.Write([]byte("a\n")); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if err := w.end(); !errors.Is(err, broken) {
		t.Errorf("the error is forgotten: %v", err)
	}
}
