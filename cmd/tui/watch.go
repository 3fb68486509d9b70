package tui

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"chant/engine"

	tea "charm.land/bubbletea/v2"
)

// interval is how often the view takes in what has happened.
const interval = 100 * time.Millisecond

// Watch runs work in the caller's goroutine and shows its progress live on out,
// a terminal, reading keys from in. The view appears with the first event; its
// last frame, the steps and their times, stays on the screen.
//
// Ctrl-C and q cancel work's context, as the end of ctx does; the view stays
// until work has returned. Watch returns work's error. When the view itself
// fails, out gets a line that says so, and work goes on unwatched.
//
// The terminal is restored in every case, also when work panics. work may call
// progress from any goroutine, also after it has returned: that does nothing.
func Watch(ctx context.Context, in io.Reader, out io.Writer, work func(ctx context.Context, progress func(engine.Event)) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &watcher{ctx: ctx, cancel: cancel, in: in, out: out}
	failed := true // unless work returns, and without an error
	defer func() { w.close(failed) }()
	err := work(ctx, w.progress)
	failed = err != nil
	return err
}

// watcher joins work and view: the one fills the board, the other looks at it.
type watcher struct {
	ctx    context.Context // work's
	cancel context.CancelFunc
	in     io.Reader
	out    io.Writer

	mu     sync.Mutex // guards board, view and closed
	board  board
	view   *view // nil before the first event
	closed bool
}

// view is a running program and the goroutine that keeps it up to date.
type view struct {
	program *tea.Program
	quit    chan struct{}  // closed to end the ticks
	ticks   sync.WaitGroup // the goroutine that sends them
	result  chan error     // the program's, once
}

// progress takes in an event.
func (w *watcher) progress(ev engine.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.board.add(ev, time.Now())
	if w.view == nil {
		w.view = w.open()
	}
}

// open starts the view.
func (w *watcher) open() *view {
	v := &view{
		program: tea.NewProgram(newModel(w.cancel),
			tea.WithInput(w.in),
			tea.WithOutput(w.out),
			tea.WithWindowSize(defaultWidth, defaultHeight), // for an out that is no terminal
			tea.WithoutSignalHandler(),
		),
		quit:   make(chan struct{}),
		result: make(chan error, 1),
	}
	go func() {
		_, err := v.program.Run()
		v.result <- err
	}()
	v.ticks.Go(func() { w.tick(v) })
	return v
}

// tick keeps a view up to date until it is closed.
func (w *watcher) tick(v *view) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		v.program.Send(w.look())
		select {
		case <-v.quit:
			return
		case <-ticker.C:
		}
	}
}

// look is the state of things now.
func (w *watcher) look() tick {
	w.mu.Lock()
	defer w.mu.Unlock()
	return tick{board: w.board.snapshot(), now: time.Now(), stopping: w.ctx.Err() != nil}
}

// close draws the last frame and gives the terminal back. A key that arrives
// while it does so may hold it up for half a second: the program has stopped
// listening by then, and its reader is given that long to notice.
func (w *watcher) close(failed bool) {
	w.mu.Lock()
	w.closed = true
	w.board.end(time.Now())
	v := w.view
	w.mu.Unlock()
	if v == nil {
		return
	}
	close(v.quit)
	v.ticks.Wait()
	v.program.Send(ended{w.look(), failed})
	if err := <-v.result; err != nil {
		fmt.Fprintf(w.out, "the live view broke off: %v\n", err)
	}
}
