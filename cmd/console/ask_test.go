package console

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string][]string{"one\n two \r\n": {"one", "two"}, "\nx": {"", "x"}, "one\n": {"one"}, "": nil, "a\nb\nc\n": {"a", "b"}} {
		var asked bytes.Buffer
		a := &App{Env: Env{In: strings.NewReader(typed)}, Screen: streams{Err: &asked}}
		got, err := Ask(t.Context(), a, []string{"A: ", "B: "})
		assert.Equal(t, want, got, "%q", typed)
		assert.NoError(t, err, "%q", typed)
		assert.HasPrefix(t, asked.String(), "A: ", "%q", typed)
	}
}

func TestAsk_stopped(t *testing.T) {
	t.Parallel()
	in, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := &App{Env: Env{In: in}, Screen: streams{Err: io.Discard}}
	got, err := Ask(ctx, a, []string{"A: "})
	assert.True(t, got == nil, "%v, %v", got, err)
	assert.IsError(t, err, context.Canceled)
}
