package lockfile

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"chant/gitops/layout"
)

// turnLimit is how long a turn is waited for. The turns are a courtesy between the
// processes that use this package: refs are safe by their compare-and-swap, so without the lock the work goes ahead.
const turnLimit = 10 * time.Second

const turnPoll = 3 * time.Millisecond

// Turns are the turns that the writers of one repository take, across processes.
type Turns struct {
	dir string     // the folder that all worktrees of the repository share
	mu  sync.Mutex // one commit at a time in this process
}

// NewTurns returns the turns of the repository whose common folder is dir.
func NewTurns(dir string) *Turns { return &Turns{dir: dir} }

// Committing lets the writers of refs commit one after the other, so that they do not spend
// their attempts on each other.
func (t *Turns) Committing(ctx context.Context) (leave func()) {
	// Goroutines of this process wait at the mutex, so that only one of them polls the file.
	t.mu.Lock()
	lock := flock.New(filepath.Join(t.dir, "chant.lock"))
	limited, cancel := context.WithTimeout(ctx, turnLimit)
	defer cancel()
	// A turn that is not had in time is done without.
	_, _ = lock.TryLockContext(limited, turnPoll)
	_ = layout.Share(lock.Path())
	return func() {
		_ = lock.Unlock()
		t.mu.Unlock()
	}
}
