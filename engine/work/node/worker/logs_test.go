package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/work/node/fleetstest"
)

// away is a broker that cannot be reached at first.
type away struct {
	*fleetstest.Broker
	fails int
	asked chan struct{} // one for each part of a log
}

func (a *away) Log(ctx context.Context, node, id string, text []byte) error {
	a.asked <- struct{}{}
	if a.fails--; a.fails >= 0 {
		return errors.New("no connection")
	}
	return a.Broker.Log(ctx, node, id, text)
}

// TestJob_sendLog: a log arrives whole and once, although the server of the queue is away for a while, also at the end.
func TestJob_sendLog(t *testing.T) {
	t.Parallel()
	const id = "2026-11-27-001-aaa"
	p, _ := enginetest.Project(t)
	b := &away{Broker: fleetstest.New(t), fails: 2, asked: make(chan struct{}, 100)}
	j := &job{w: &Worker{P: p, Broker: b, Node: fleet.Node{Name: "w"}}, id: id}
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
		<-b.asked
	}
	stop()
	<-ended
	b.fails = 1
	write("after the end\n")
	if err := j.sendRest(t.Context()); err == nil {
		t.Error("the server was away")
	}
	if err := j.sendRest(t.Context()); err != nil {
		t.Error(err)
	}
	got := b.Logged("w", id)
	if got != want+"after the end\n" {
		t.Errorf("%d bytes, want %d", len(got), len(want)+len("after the end\n"))
	}
}
