package console

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestConfirm(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]bool{"y\n": true, " YES \r\n": true, "yes": true, "n\n": false, "\n": false, "": false, "yesterday\n": false, "no\ny\n": false} {
		var asked bytes.Buffer
		a := &App{Env: Env{In: strings.NewReader(answer)}, Screen: streams{Err: &asked}}
		got, err := Confirm(t.Context(), a, "Remove these?")
		if got != want || err != nil || asked.String() != "Remove these? [y/N] " {
			t.Errorf("%q: %v, %v, asked %q", answer, got, err, asked.String())
		}
	}
}

func TestConfirm_stopped(t *testing.T) {
	t.Parallel()
	in, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := &App{Env: Env{In: in}, Screen: streams{Err: io.Discard}}
	if yes, err := Confirm(ctx, a, "Remove these?"); yes || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", yes, err)
	}
}
