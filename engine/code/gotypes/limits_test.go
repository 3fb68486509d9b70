package gotypes

import (
	"errors"
	"strings"
	"testing"
)

func TestLoader_read_tooMuch(t *testing.T) {
	t.Parallel()
	l := &loader{Request: Request{Root: "/r", Read: func(string) ([]byte, bool) { return []byte("package a"), true }}, bytes: maxBytes - 9}
	if _, err := l.read(&unit{}, "/r/a.go"); err != nil {
		t.Errorf("the last bytes: %v", err)
	}
	if _, err := l.read(&unit{}, "/r/a.go"); !errors.Is(err, errTooLarge) {
		t.Errorf("one byte more: %v", err)
	}
}

func TestCapped(t *testing.T) {
	t.Parallel()
	c := &cappedBuffer{most: 5}
	for i, text := range []string{"abc", "de", "", "f", "gh"} {
		if n, err := c.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%q: %d bytes, %v", text, n, err)
		}
		if c.over != (i > 2) {
			t.Errorf("after %q, over is %v", text, c.over)
		}
	}
	if c.String() != "abcde" {
		t.Errorf("kept %q", c.String())
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	env := environment([]string{"GOFLAGS=-toolexec=x", "GOPROXY=https://x", "GOWORK=/x", "A=b", "GOTOOLCHAIN=go1.99"}, "/d", false)
	text := strings.Join(env, "\n")
	for _, want := range []string{"A=b", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "PWD=/d", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing of %q", want, env)
		}
	}
	for _, dropped := range []string{"toolexec", "https://x", "/x", "1.99"} {
		if strings.Contains(text, dropped) {
			t.Errorf("%q is in %q", dropped, env)
		}
	}
}
