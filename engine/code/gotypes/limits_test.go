package gotypes

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestLoader_read_tooMuch(t *testing.T) {
	t.Parallel()
	l := &loader{Request: Request{Root: "/r", Read: func(string) ([]byte, bool) { return []byte("package a"), true }}, bytes: maxBytes - 9}
	_, err := l.read(&unit{}, "/r/a.go")
	assert.NoError(t, err, "the last bytes")
	_, err = l.read(&unit{}, "/r/a.go")
	assert.IsError(t, err, errTooLarge, "one byte more")
}

func TestCapped(t *testing.T) {
	t.Parallel()
	c := &cappedBuffer{most: 5}
	for i, text := range []string{"abc", "de", "", "f", "gh"} {
		n, err := c.Write([]byte(text))
		assert.Equal(t, len(text), n, "%q", text)
		assert.NoError(t, err, "%q", text)
		assert.Equal(t, i > 2, c.over, "after %q, over", text)
	}
	assert.Equal(t, "abcde", c.String())
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	env := environment([]string{"GOFLAGS=-toolexec=x", "GOPROXY=https://x", "GOWORK=/x", "A=b", "GOTOOLCHAIN=go1.99"}, "/d", false)
	text := strings.Join(env, "\n")
	for _, want := range []string{"A=b", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "PWD=/d", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false"} {
		assert.Contains(t, text, want, "%q", env)
	}
	for _, dropped := range []string{"toolexec", "https://x", "/x", "1.99"} {
		assert.NotContains(t, text, dropped, "%q", env)
	}
}
