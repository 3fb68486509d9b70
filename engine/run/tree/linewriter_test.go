package tree

import (
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
			n, err := w.Write([]byte(part))
			assert.NoError(t, err, "%s", name)
			assert.Equal(t, len(part), n, "%s", name)
		}
		assert.NoError(t, w.end(), "%s", name)
		assert.Equal(t, tc.want, got, "%s", name)
	}
	broken := errors.New("full")
	w := &lineWriter{line: func(string) error { return broken }}
	_, err := w.Write([]byte("a\n"))
	assert.IsError(t, err, broken)
	assert.IsError(t, w.end(), broken, "the error is forgotten")
}
