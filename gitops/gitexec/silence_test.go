package gitexec

import (
	"context"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestListener: what prints something from time to time goes on, and what has fallen silent ends.
func TestListener(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancelCause(t.Context())
		l := newListener(io.Discard, 15*time.Second, end)
		defer l.stop()
		for range 10 {
			time.Sleep(14 * time.Second)
			if _, err := l.Write([]byte("Writing objects:  50%\r")); err != nil || ctx.Err() != nil {
				t.Fatal(err, context.Cause(ctx))
			}
		}
		began := time.Now()
		<-ctx.Done()
		if took := time.Since(began); took != 15*time.Second || !errors.Is(context.Cause(ctx), ErrSilent) {
			t.Errorf("%s, %v", took, context.Cause(ctx))
		}
	})
}

// TestSilence: a remote that was too slow gets more time, and as much as it needs from then on.
func TestSilence(t *testing.T) {
	t.Parallel()
	const first = 15 * time.Second
	var s silence
	for _, c := range []struct {
		took time.Duration
		err  error
		want time.Duration
	}{
		{0, ErrSilent, 2 * first}, {0, ErrSilent, 4 * first}, {time.Second, &Error{}, 4 * first}, {50 * time.Second, nil, 100 * time.Second},
		{time.Second, nil, first}, {0, ErrSilent, 2 * first}, {time.Hour, nil, maxSilence}, {0, ErrSilent, maxSilence},
	} {
		s.learn(s.limit(first), c.took, c.err)
		assert.Equal(t, c.want, s.limit(first), "after %v in %s", c.err, c.took)
	}
}

// TestRunner_silent: a remote that does not answer ends the command, with all that it has started, and one that refuses at
// once is an error as before.
func TestRunner_silent(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the connection is a shell script")
	}
	g := &Runner{Silence: 50 * time.Millisecond}
	call := Call{Dir: t.TempDir(), Remote: true, Args: []string{"ls-remote", "ssh://host/path"}, Env: []string{"GIT_SSH_COMMAND=sleep 1000; :"}}
	_, err := g.Run(t.Context(), call)
	assert.IsError(t, err, ErrSilent)
	assert.Equal(t, "git ls-remote: no sign of progress for 50ms", err.Error())
	g.Silence = time.Minute
	call.Env = []string{`GIT_SSH_COMMAND=printf 'Counting objects: 1\rfatal: not you\n' >&2; exit 1; :`}
	_, err = g.Run(t.Context(), call)
	assert.Error(t, err)
	assert.Equal(t, "git ls-remote: not you", err.Error())
}
