package lockfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func TestLock_excludes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "locks", "run.lock")
	_, held := HeldBy(path)
	assert.False(t, held, "a lock that nobody made is held")
	assert.True(t, gone(path), "a lock that nobody made is held")
	l := must[*Lock](t)(AcquireFor(path, Purpose{What: "work a", Role: Works, About: "a"}))
	_, stale := l.Stale()
	assert.False(t, stale, "a new lock has a dead holder")
	_, err := Acquire(path, "work b")
	var refused *HeldError
	assert.True(t, errors.As(err, &refused), "%v", err)
	assert.Equal(t, os.Getpid(), refused.Holder.PID)
	assert.Equal(t, "work a", refused.Holder.What)
	text := refused.Error()
	assert.Contains(t, text, refused.Holder.Host)
	assert.NotContains(t, text, "\n")
	h, held := HeldBy(path)
	assert.True(t, held, "%+v, %v", h, held)
	assert.Equal(t, "work a", h.What)
	assert.Equal(t, Works, h.Role)
	assert.Equal(t, "a", h.About)
	assert.True(t, h == l.Holder(), "%+v, %v", h, held)
	for range 2 {
		assert.NoError(t, l.Release())
	}
	_, held = HeldBy(path)
	assert.False(t, held, "held after release")
	_, stale = must[*Lock](t)(Acquire(path, "work c")).Stale()
	assert.False(t, stale, "a released lock counts as a dead one")
}

func TestLock_deadHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.lock")
	// The text of a process that died, its number in use again: by us.
	writeFile(t, path, "\x00"+`{"pid":`+strconv.Itoa(os.Getpid())+`,"started":"1","what":"died"}`)
	l := must[*Lock](t)(Acquire(path, "next"))
	defer l.Release()
	h, stale := l.Stale()
	assert.True(t, stale, "%+v, %v", h, stale)
	assert.Equal(t, "died", h.What)
}

// The kernel gives back the lock of a process that was killed; its name stays to be read.
func TestLock_killedHolder(t *testing.T) {
	const variable = "GITOPS_TEST_HOLD"
	if path := os.Getenv(variable); path != "" { // the process that will be killed
		l, err := Acquire(path, "doomed")
		fmt.Println("held", l != nil, err)
		_, _ = io.ReadAll(os.Stdin) // for ever: the other end is not closed
		return
	}
	path := filepath.Join(t.TempDir(), "run.lock")
	cmd := exec.Command(os.Args[0], "-test.run=^TestLock_killedHolder$")
	cmd.Env = append(os.Environ(), variable+"="+path)
	in, out := must[io.WriteCloser](t)(cmd.StdinPipe()), must[io.ReadCloser](t)(cmd.StdoutPipe())
	defer in.Close()
	assert.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	assert.NoError(t, err)
	assert.Equal(t, "held true <nil>\n", line)
	var refused *HeldError
	_, err = Acquire(path, "next")
	assert.True(t, errors.As(err, &refused), "%v", err)
	assert.Equal(t, cmd.Process.Pid, refused.Holder.PID)
	assert.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	l := must[*Lock](t)(Acquire(path, "next"))
	defer l.Release()
	h, stale := l.Stale()
	assert.True(t, stale, "%+v, %v", h, stale)
	assert.Equal(t, cmd.Process.Pid, h.PID)
	assert.Equal(t, "doomed", h.What)
}

func TestLock_garbage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.lock")
	writeFile(t, path, "not a holder at all")
	l := must[*Lock](t)(Acquire(path, "next"))
	_, stale := l.Stale()
	assert.False(t, stale, "garbage counts as a holder")
	h, held := HeldBy(path)
	assert.True(t, held, "%+v", h)
	assert.Equal(t, "next", h.What)
	assert.NoError(t, l.Release())
}

func TestAcquireWait(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.lock")
	first := must[*Lock](t)(Acquire(path, "first"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var refused *HeldError
	_, err := AcquireWait(ctx, path, "second")
	assert.True(t, errors.As(err, &refused), "%v", err)
	assert.IsError(t, err, context.Canceled)
	done := make(chan error)
	go func() {
		l, err := AcquireWait(context.Background(), path, "second")
		if err == nil {
			err = l.Release()
		}
		done <- err
	}()
	assert.NoError(t, first.Release())
	assert.NoError(t, <-done)
}

func TestAcquire_probesDoNotDisturb(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.lock")
	stop := make(chan struct{})
	var probes sync.WaitGroup
	for range 4 {
		probes.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					HeldBy(path)
				}
			}
		})
	}
	var taken atomic.Int32
	for range 20 {
		l, err := AcquireWait(timeout(t), path, "x")
		if err != nil {
			t.Error(err)
			continue
		}
		assert.Equal(t, 1, taken.Add(1), "two hold the lock")
		taken.Add(-1)
		assert.NoError(t, l.Release())
	}
	close(stop)
	probes.Wait()
}

func timeout(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}
