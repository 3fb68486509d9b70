package console

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string][]string{"one\n two \r\n": {"one", "two"}, "\nx": {"", "x"}, "one\n": {"one"}, "": nil, "a\nb\nc\n": {"a", "b"}} {
		var asked bytes.Buffer
		a := &App{Env: Env{In: strings.NewReader(typed)}, Screen: streams{Err: &asked}}
		got, err := Ask(t.Context(), a, []string{"A: ", "B: "})
		if !slices.Equal(got, want) || err != nil || !strings.HasPrefix(asked.String(), "A: ") {
			t.Errorf("%q: %q, %v, asked %q", typed, got, err, asked.String())
		}
	}
}

func TestAsk_stopped(t *testing.T) {
	t.Parallel()
	in, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := &App{Env: Env{In: in}, Screen: streams{Err: io.Discard}}
	if got, err := Ask(ctx, a, []string{"A: "}); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", got, err)
	}
}
