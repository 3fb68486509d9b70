package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
)

// TestJob_sendLog: a log arrives whole and once, although the server of the queue is away for a while, also at the end.
func TestJob_sendLog(t *testing.T) {
	t.Parallel()
	const id = "2026-11-27-001-aaa"
	p, _ := enginetest.Project(t)
	var got strings.Builder
	fails, asked := 2, make(chan struct{}, 100)
	j := &job{w: &Worker{P: p}, id: id, send: func(_ context.Context, part []byte) error {
		asked <- struct{}{}
		if fails--; fails >= 0 {
			return errors.New("no connection")
		}
		got.Write(part)
		return nil
	}}
	path := p.Store.LogPath(id)
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	write("of an earlier attempt\n")
	j.logged = sizeOf(path)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); j.sendLog(ctx) }()
	want := strings.Repeat("0123456789abcde\n", 3*logMost/16) + "last\n"
	write(want)
	for range 6 { // two that fail, three whole parts and the rest
		<-asked
	}
	stop()
	<-ended
	fails = 1
	write("after the end\n")
	if err := j.sendRest(t.Context()); err == nil {
		t.Error("the server was away")
	}
	if err := j.sendRest(t.Context()); err != nil {
		t.Error(err)
	}
	if got.String() != want+"after the end\n" {
		t.Errorf("%d bytes, want %d", got.Len(), len(want)+len("after the end\n"))
	}
}
