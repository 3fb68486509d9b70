package mcp

import (
	"context"
	"os"
	"time"
)

// reloadEvery is how often the executable is looked at.
const reloadEvery = 2 * time.Second

// executable is the file of the program, as it was when the server began.
type executable struct {
	file  string
	began os.FileInfo // nil where it could not be read
}

func newExecutable(file string) executable {
	began, err := os.Stat(file)
	if err != nil {
		began = nil // the first look that succeeds counts
	}
	return executable{file, began}
}

// awaitNewer returns true once the file is newer than it was at the start, and false when ctx is done.
func (e executable) awaitNewer(ctx context.Context, ticks <-chan time.Time) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-ticks:
		}
		now, err := os.Stat(e.file)
		switch {
		case err != nil: // it is being replaced
		case e.began == nil:
			e.began = now
		case now.ModTime().After(e.began.ModTime()):
			return true
		}
	}
}

// watchExecutable closes c.replaced when the program has been replaced by a newer one, so that the client starts that.
func (c *conn) watchExecutable(ctx context.Context, e executable) {
	tick := time.NewTicker(reloadEvery)
	defer tick.Stop()
	if e.awaitNewer(ctx, tick.C) {
		close(c.replaced)
	}
}
