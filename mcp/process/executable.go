package process

import (
	"context"
	"os"
	"time"
)

// LookEvery is how often the executable is to be looked at.
const LookEvery = 2 * time.Second

// Executable is the file of the program, as it was when the server began.
type Executable struct {
	file  string
	began os.FileInfo // nil where it could not be read
}

// NewExecutable takes the state of a file now for that at the start.
func NewExecutable(file string) Executable {
	began, err := os.Stat(file)
	if err != nil {
		began = nil // the first look that succeeds counts
	}
	return Executable{file, began}
}

// AwaitNewer returns true once the file is newer than it was at the start, and false when ctx is done.
func (e Executable) AwaitNewer(ctx context.Context, ticks <-chan time.Time) bool {
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
