package providers

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

const (
	// drainTime is how long a pipe may stay silent after all known processes
	// are gone. Only a process that escaped can hold it open then.
	drainTime = 2 * time.Second
	// drainSize is the most that is still read then, in bytes: no pipe of the
	// systems we run on holds more, so the rest comes from an escaped process.
	drainSize = 1 << 20
)

// pipe carries output from a child. Pipes of our own instead of os/exec's: a
// process that inherited the write end must not keep us reading for ever, and
// a slow consumer must not cost the last lines.
type pipe struct {
	r, w   *os.File
	ending atomic.Bool
	rest   int // what may still be read once ending is set
}

func openPipe() (*pipe, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("pipe for a program's output: %w", err)
	}
	return &pipe{r: r, w: w, rest: drainSize}, nil
}

func (p *pipe) close() {
	p.r.Close()
	p.w.Close()
}

// Read is used by one goroutine.
func (p *pipe) Read(b []byte) (int, error) {
	if !p.ending.Load() {
		return p.r.Read(b)
	}
	// Beyond this, it comes from a process that has escaped, and would never end.
	if p.rest <= 0 {
		return 0, io.EOF
	}
	if err := p.r.SetReadDeadline(time.Now().Add(drainTime)); err != nil {
		return 0, err
	}
	n, err := p.r.Read(b[:min(len(b), p.rest)])
	p.rest -= n
	return n, err
}

// finish lets the reader come to the end, which it reports by closing drained,
// and closes the pipe. All known processes are gone by then.
func (p *pipe) finish(drained <-chan struct{}) {
	// All known processes are gone, so only an escaped one can hold the pipe open.
	p.ending.Store(true)
	if p.r.SetReadDeadline(time.Now().Add(drainTime)) != nil {
		// Windows knows no deadline here: one chance, then a closed pipe.
		select {
		case <-drained:
		case <-time.After(drainTime):
		}
		p.r.Close()
	}
	// The reader must be done before the pipe is closed under it.
	<-drained
	p.close()
}
