package console

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestConfirm(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]bool{"y\n": true, " YES \r\n": true, "yes": true, "n\n": false, "\n": false, "": false, "yesterday\n": false, "no\ny\n": false} {
		var asked bytes.Buffer
		a := &App{Env: Env{In: strings.NewReader(answer)}, Screen: streams{Err: &asked}}
		got, err := Confirm(t.Context(), a, "Remove these?")
		assert.Equal(t, want, got, "%q", answer)
		assert.NoError(t, err, "%q", answer)
		assert.Equal(t, "Remove these? [y/N] ", asked.String(), "%q", answer)
	}
}

func TestConfirm_stopped(t *testing.T) {
	t.Parallel()
	in, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := &App{Env: Env{In: in}, Screen: streams{Err: io.Discard}}
	yes, err := Confirm(ctx, a, "Remove these?")
	assert.False(t, yes, "%v, %v", yes, err)
	assert.IsError(t, err, context.Canceled)
}
