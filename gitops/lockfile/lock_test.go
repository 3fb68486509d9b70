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
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLock_excludes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "locks", "run.lock")
	if _, held := HeldBy(path); held || !gone(path) {
		t.Fatal("a lock that nobody made is held")
	}
	l := must[*Lock](t)(AcquireFor(path, Purpose{What: "work a", Role: Works, About: "a"}))
	if _, stale := l.Stale(); stale {
		t.Error("a new lock has a dead holder")
	}
	_, err := Acquire(path, "work b")
	var refused *HeldError
	if !errors.As(err, &refused) || refused.Holder.PID != os.Getpid() || refused.Holder.What != "work a" {
		t.Fatalf("%v", err)
	}
	if text := refused.Error(); !strings.Contains(text, refused.Holder.Host) || strings.Contains(text, "\n") {
		t.Error(text)
	}
	if h, held := HeldBy(path); !held || h.What != "work a" || h.Role != Works || h.About != "a" || h != l.Holder() {
		t.Errorf("%+v, %v", h, held)
	}
	for range 2 {
		if err := l.Release(); err != nil {
			t.Fatal(err)
		}
	}
	if _, held := HeldBy(path); held {
		t.Error("held after release")
	}
	if _, stale := must[*Lock](t)(Acquire(path, "work c")).Stale(); stale {
		t.Error("a released lock counts as a dead one")
	}
}

func TestLock_deadHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.lock")
	// The text of a process that died, its number in use again: by us.
	writeFile(t, path, "\x00"+`{"pid":`+strconv.Itoa(os.Getpid())+`,"started":"1","what":"died"}`)
	l := must[*Lock](t)(Acquire(path, "next"))
	defer l.Release()
	if h, stale := l.Stale(); !stale || h.What != "died" {
		t.Fatalf("%+v, %v", h, stale)
	}
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
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "held true <nil>\n" {
		t.Fatalf("%q, %v", line, err)
	}
	var refused *HeldError
	if _, err := Acquire(path, "next"); !errors.As(err, &refused) || refused.Holder.PID != cmd.Process.Pid {
		t.Errorf("%v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	l := must[*Lock](t)(Acquire(path, "next"))
	defer l.Release()
	if h, stale := l.Stale(); !stale || h.PID != cmd.Process.Pid || h.What != "doomed" {
		t.Errorf("%+v, %v", h, stale)
	}
}

func TestLock_garbage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.lock")
	writeFile(t, path, "not a holder at all")
	l := must[*Lock](t)(Acquire(path, "next"))
	if _, stale := l.Stale(); stale {
		t.Error("garbage counts as a holder")
	}
	if h, held := HeldBy(path); !held || h.What != "next" {
		t.Errorf("%+v", h)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
}

func TestAcquireWait(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.lock")
	first := must[*Lock](t)(Acquire(path, "first"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var refused *HeldError
	if _, err := AcquireWait(ctx, path, "second"); !errors.As(err, &refused) || !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	done := make(chan error)
	go func() {
		l, err := AcquireWait(context.Background(), path, "second")
		if err == nil {
			err = l.Release()
		}
		done <- err
	}()
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
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
		if taken.Add(1) != 1 {
			t.Error("two hold the lock")
		}
		taken.Add(-1)
		if err := l.Release(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	probes.Wait()
}

func timeout(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}
