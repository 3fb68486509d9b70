package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"chant/engine"

	"github.com/alecthomas/assert/v2"
)

// keyboard is a pipe in place of the keys of a person.
func keyboard(t *testing.T) (in, keys *os.File) {
	t.Helper()
	in, keys, err := os.Pipe()
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, errors.Join(keys.Close(), in.Close())) })
	return in, keys
}

// lastMark is the mark drawn last, that of the step at which a run has ended.
// Of a frame only what differs from the one before is written, so the output
// does not hold the last frame as a whole.
func lastMark(out string) string {
	last := ""
	for _, r := range sanitize(out) {
		if strings.ContainsRune("✓✗⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", r) {
			last = string(r)
		}
	}
	return last
}

func TestWatch(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, want := range []error{nil, broken} {
		in, _ := keyboard(t)
		var out bytes.Buffer
		err := Watch(t.Context(), in, &out, Person{}, func(_ context.Context, progress func(engine.Event)) error {
			progress(ev("branch step"))
			progress(ev("agent warning slow"))
			return want
		})
		assert.IsError(t, err, want)
		mark := "✓"
		if want != nil {
			mark = "✗"
		}
		assert.Equal(t, mark, lastMark(out.String()))
	}
}

func TestWatch_noEvents(t *testing.T) {
	t.Parallel()
	in, _ := keyboard(t)
	var out bytes.Buffer
	broken := errors.New("broken")
	err := Watch(t.Context(), in, &out, Person{}, func(context.Context, func(engine.Event)) error { return broken })
	assert.IsError(t, err, broken, "error is %q", out.String())
	assert.True(t, out.Len() <= 0, "error is %v, output %q; want work's error and no output", err, out.String())
}

func TestWatch_key(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"q", "\x03"} {
		in, keys := keyboard(t)
		var out bytes.Buffer
		err := Watch(t.Context(), in, &out, Person{}, func(ctx context.Context, progress func(engine.Event)) error {
			progress(ev("agent step"))
			if _, err := io.WriteString(keys, key); err != nil {
				return err
			}
			<-ctx.Done()
			progress(ev("settle step")) // the view is still there
			return ctx.Err()
		})
		assert.IsError(t, err, context.Canceled, "error after %q", key)
		assert.Equal(t, "✗", lastMark(out.String()), "the view after %q ends with the mark", key)
	}
}

func TestWatch_context(t *testing.T) {
	t.Parallel()
	in, _ := keyboard(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := Watch(ctx, in, io.Discard, Person{}, func(ctx context.Context, progress func(engine.Event)) error {
		progress(ev("agent step"))
		cancel()
		<-ctx.Done()
		return context.Cause(ctx)
	})
	assert.IsError(t, err, context.Canceled)
}

func TestWatch_panic(t *testing.T) {
	t.Parallel()
	in, _ := keyboard(t)
	var out bytes.Buffer
	defer func() {
		if got := recover(); got != "boom" {
			t.Errorf("panic is %v, want work's", got)
		}
		const showCursor = "\x1b[?25h"
		if got := out.String(); lastMark(got) != "✗" || !strings.Contains(got, showCursor) {
			t.Errorf("terminal is not put back after a panic: %q", got)
		}
	}()
	err := Watch(t.Context(), in, &out, Person{}, func(_ context.Context, progress func(engine.Event)) error {
		progress(ev("agent step"))
		panic("boom")
	})
	t.Errorf("Watch returned %v, want work's panic", err)
}

func TestWatch_manyReporters(t *testing.T) {
	t.Parallel()
	in, _ := keyboard(t)
	var late func(engine.Event)
	err := Watch(t.Context(), in, io.Discard, Person{}, func(_ context.Context, progress func(engine.Event)) error {
		late = progress
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 1000 {
					progress(ev("agent text a"))
				}
			})
		}
		wg.Wait()
		return nil
	})
	assert.NoError(t, err)
	late(ev("clean step")) // harmless
}

// unreadable fails like a terminal that went away.
type unreadable struct{}

func (unreadable) Read([]byte) (int, error) { return 0, errors.New("gone") }

func TestWatch_viewBreaks(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := &watcher{ctx: ctx, stage: &board{}, model: newModel(cancel), in: unreadable{}, out: &out}
	w.progress(ev("agent step"))
	broke := <-w.view.result
	w.view.result <- broke
	w.progress(ev("agent text a")) // nothing is shown any more
	assert.NoError(t, ctx.Err(), "work is stopped because its view broke")
	w.close(false)
	got := out.String()
	assert.Contains(t, got, "the live view stopped", "output does not say why the view broke")
	assert.Contains(t, got, "gone", "output does not say why the view broke")
}
