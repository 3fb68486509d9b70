package lockfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"chant/gitops/layout"
)

const (
	lockPoll  = 10 * time.Millisecond
	lockGrace = 200 * time.Millisecond
)

// Lock is a held lock file. The kernel's flock is the lock and ends with the process;
// the text in the file only tells people and recovery who it was.
type Lock struct {
	path  string
	flock *flock.Flock
	us    Holder
	stale Holder
}

// Acquire is [AcquireFor] with a purpose that is only for people.
func Acquire(path, what string) (*Lock, error) { return AcquireFor(path, Purpose{What: what}) }

// AcquireFor takes the lock at path, made where missing, without waiting. *HeldError when it is held.
func AcquireFor(path string, purpose Purpose) (*Lock, error) {
	// A probe by HeldBy holds the lock for an instant, so a holder that is not alive, or
	// none, is looked at again before it is reported.
	ctx, cancel := context.WithTimeout(context.Background(), lockGrace)
	defer cancel()
	lock, err := newFlock(path)
	if err != nil {
		return nil, err
	}
	for {
		ok, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %q: %w", path, err)
		}
		if ok {
			return recordHolder(path, purpose, lock)
		}
		holder := readHolder(path)
		// A live holder will not be gone within the grace time, so it is reported at once.
		if holder.Alive() || !pause(ctx, 5*time.Millisecond) {
			return nil, &HeldError{Path: path, Holder: holder}
		}
	}
}

// AcquireWait is Acquire that waits until ctx ends; the error is then the context's
// and a *HeldError.
func AcquireWait(ctx context.Context, path, what string) (*Lock, error) {
	lock, err := newFlock(path)
	if err != nil {
		return nil, err
	}
	ok, err := lock.TryLockContext(ctx, lockPoll)
	if ok {
		return recordHolder(path, Purpose{What: what}, lock)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%w: %w", context.Cause(ctx), &HeldError{Path: path, Holder: readHolder(path)})
	}
	return nil, fmt.Errorf("lock %q: %w", path, err)
}

func newFlock(path string) (*flock.Flock, error) {
	if err := layout.MkdirAll(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return flock.New(path, flock.SetPermissions(0o644)), nil
}

// recordHolder writes us into a lock just got.
func recordHolder(path string, purpose Purpose, lock *flock.Flock) (*Lock, error) {
	// The text is read before it is overwritten: a name that is still there is of a holder that died with the lock.
	stale := readHolder(path)
	host, err := os.Hostname()
	if err != nil {
		// A machine without a name can hold locks too.
		host = ""
	}
	pid := os.Getpid()
	us := Holder{
		PID: pid, Started: startTime(pid), Host: host, Boot: bootID(), Since: time.Now().UTC(),
		What: purpose.What, Role: purpose.Role, About: purpose.About,
	}
	// In a repository of a group, others must be able to open the file that this process has made.
	if err := errors.Join(writeHolder(path, us), layout.Share(path)); err != nil {
		_ = lock.Unlock()
		return nil, fmt.Errorf("lock %q: %w", path, err)
	}
	return &Lock{path: path, flock: lock, us: us, stale: stale}, nil
}

// Holder is the entry of this process in the file.
func (l *Lock) Holder() Holder { return l.us }

// Release gives the lock back. The file stays: removing it would let two others lock two
// files of one name.
func (l *Lock) Release() error {
	// Releasing twice is harmless, so that a deferred release can follow an early one.
	if !l.flock.Locked() {
		return nil
	}
	// The name goes while the lock is held: after it, the text may be that of the next holder.
	wipe := wipeHolder(l.path)
	if err := l.flock.Unlock(); err != nil {
		return fmt.Errorf("lock %q: %w", l.path, err)
	}
	if wipe != nil {
		return fmt.Errorf("lock %q: %w", l.path, wipe)
	}
	return nil
}

// Stale is the holder that died without giving the lock back before we took it.
func (l *Lock) Stale() (Holder, bool) { return l.stale, l.stale.PID != 0 }

// LastHolder is who holds the lock at path or died holding it, as far as the file
// tells; false when it was given back, or never taken. It asks no kernel and makes
// no file.
func LastHolder(path string) (Holder, bool) {
	h := readHolder(path)
	return h, h.PID != 0
}

// HeldBy reports whether the lock at path is held now, and by whom as far as the file
// tells. It does not wait and makes no file.
func HeldBy(path string) (Holder, bool) {
	// A shared lock on a file opened for reading only asks; it neither makes the file nor keeps another probe out.
	probe := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := probe.TryRLock()
	if free {
		_ = probe.Unlock()
		return Holder{}, false
	}
	if err != nil {
		// There is no such file, or none that could be a lock.
		return Holder{}, false
	}
	return readHolder(path), true
}

// pause waits; false when ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// HeldError says that a lock is held, and by whom as far as the file shows.
type HeldError struct {
	Path   string
	Holder Holder
}

// Error names the lock and its holder.
func (e *HeldError) Error() string {
	h := e.Holder
	if h.PID == 0 {
		return fmt.Sprintf("the lock %q is held by another process", e.Path)
	}
	return fmt.Sprintf("the lock %q is held by process %d on %q since %s (%s)",
		e.Path, h.PID, h.Host, h.Since.Format(time.RFC3339), h.What)
}
