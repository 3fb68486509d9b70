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

// interval is the time between two updates of the view.
const interval = 100 * time.Millisecond

// calm is that time while there is nothing to do but to count seconds.
const calm = time.Second

// framesPerSecond is how often the renderer looks for a new frame: at each update, and in between for keys. Each look wakes
// the process, which is all that the view of an idle watch costs.
const framesPerSecond = 30

// Watch runs work in the caller's goroutine and shows its progress live on out,
// a terminal, reading keys from in. The view appears with the first event; its
// last frame, the steps and their times, stays on the screen.
//
// Ctrl-C and q cancel work's context, as the end of ctx does; the view stays
// until work has returned. Watch returns work's error. When the view itself
// fails, it prints a line to out, and work continues without it.
//
// Questions of agents are shown, and a key opens a line for the answer, which goes to person.
//
// The terminal is restored in every case, also when work panics. work may call
// progress from any goroutine, also after it has returned: that does nothing.
func Watch(ctx context.Context, in io.Reader, out io.Writer, person Person, work func(ctx context.Context, progress func(engine.Event)) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &watcher{ctx: ctx, stage: &board{}, model: newModel(cancel).withPerson(person), in: in, out: out}
	return w.watch(work)
}

// WatchMany is Watch for work that carries many specs at a time, one line each. Ctrl-C
// and q call interrupt instead, at most twice: what work makes of it is its own.
func WatchMany(ctx context.Context, in io.Reader, out io.Writer, person Person, interrupt func(), work func(ctx context.Context, progress func(engine.Event)) error) error {
	w := &watcher{ctx: ctx, stage: &runsView{}, model: newCrowdModel(interrupt).withPerson(person), in: in, out: out}
	return w.watch(work)
}

func (w *watcher) watch(work func(ctx context.Context, progress func(engine.Event)) error) error {
	// Until work returns without an error; a panic counts as a failure.
	failed := true
	defer func() { w.close(failed) }()
	err := work(w.ctx, w.progress)
	failed = err != nil
	return err
}

// stage folds events into what a view shows.
type stage interface {
	add(ev engine.Event, now time.Time) // takes in an event that arrived now
	end(now time.Time)                  // work has returned
	scene() scene                       // a copy of what there is to show
}

// watcher joins work and view: the one fills the stage, the other looks at it.
type watcher struct {
	ctx   context.Context // work's
	model tea.Model       // the view's, as it begins
	in    io.Reader
	out   io.Writer

	mu     sync.Mutex // guards stage, view and closed
	stage  stage
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
	// Progress may come from a goroutine that outlives the work.
	if w.closed {
		return
	}
	w.stage.add(ev, time.Now())
	// Only now, because a run that is refused right away needs no view.
	if w.view == nil {
		w.view = w.open()
	}
}

// open starts the view.
func (w *watcher) open() *view {
	v := &view{
		program: tea.NewProgram(w.model,
			tea.WithFPS(framesPerSecond),
			tea.WithInput(w.in),
			tea.WithOutput(w.out),
			// For an out that is not a terminal.
			tea.WithWindowSize(defaultWidth, defaultHeight),
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
	timer := time.NewTimer(interval)
	defer timer.Stop()
	for {
		v.program.Send(w.look())
		timer.Reset(w.pause())
		select {
		case <-v.quit:
			return
		case <-timer.C:
		}
	}
}

// pause is the time until the next update.
func (w *watcher) pause() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if many, is := w.stage.(*runsView); is && many.idle != nil && len(many.runs) == 0 {
		return calm
	}
	return interval
}

// look is the state of things now.
func (w *watcher) look() tea.Msg {
	w.mu.Lock()
	defer w.mu.Unlock()
	return tick{w.stage.scene(), time.Now(), w.ctx.Err() != nil}
}

// close draws the last frame and gives the terminal back. A key that arrives
// while it does so may hold it up for half a second: the program has stopped
// listening by then, and its reader is given that long to notice.
func (w *watcher) close(failed bool) {
	w.mu.Lock()
	w.closed = true
	now := time.Now()
	w.stage.end(now)
	last, v := ended{tick{scene: w.stage.scene(), now: now}, failed}, w.view
	w.mu.Unlock()
	if v == nil {
		return
	}
	// A tick behind the last message would bring the view back to an earlier state.
	close(v.quit)
	v.ticks.Wait()
	v.program.Send(last)
	// The work has its own result, whatever became of the view.
	if err := <-v.result; err != nil {
		fmt.Fprintf(w.out, "the live view stopped: %v\n", err)
	}
}
