// Package worker takes specs from the queue of a fleet and works them in a clone of its machine.
//
// # Rules
//
//   - A run begins only with a claim in the remote, and each push renews that. A worker that has lost its claim stops the
//     run and pushes nothing more; what it could not push stays in its clone.
//   - The branch is pushed whenever it has moved, so that another worker can continue from there.
//   - What is over is handed over: once the branch is in the remote, worktree and branch are removed here. What another
//     worker has continued meanwhile is kept in the remote under refs/chant/rescue.
//   - A worker lands nothing.
package worker

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/run/usage"
	"chant/engine/work"
	"chant/gitops/layout"
)

// Worker offers the slots of a node. Its fields are set before Run.
type Worker struct {
	P      *engine.Project // of a clone in which nobody else works
	Remote *fleet.Remote   // of that clone
	Broker *jetstream.Broker
	Node   fleet.Node

	// Providers lists those that can be used in the clone, whenever its checkout has moved; nil = those of Node.
	Providers func(context.Context, *engine.Project) []string

	Trace func(fleet.Span) // is told what parts of the work are over; may be nil

	mu      sync.Mutex                         // guards the fields below
	running map[string]context.CancelCauseFunc // by spec
	ended   int                                // specs that were worked to an end
	stopped map[string]bool                    // specs that a person has stopped
	leading bool
	trouble string
	open    context.Context // ends when the node is cordoned: nothing waits in the queue then
	shut    context.CancelFunc

	records   recordSeries
	hindrance string // the error for which the last entry could not be worked, "" = none

	changed chan struct{} // the record of the node is out of date
	left    chan struct{} // something was left in the clone

	home   sync.Mutex // held while the checkout of the target moves
	budget *usage.Budget
}

// Run works specs until drain is closed and what runs has ended, or until the context ends; then what runs is paused, and
// given back. Error: that of the context.
func (w *Worker) Run(ctx context.Context, drain <-chan struct{}) error {
	w.mu.Lock()
	w.running, w.stopped = map[string]context.CancelCauseFunc{}, map[string]bool{}
	w.changed, w.left = make(chan struct{}, 1), make(chan struct{}, 1)
	w.mu.Unlock()
	w.budget = w.sharedBudget()
	// A hub that only leads makes no claims.
	if w.Node.Slots > 0 {
		w.Remote.Sign = w.Broker.Sign
	}
	taking, stop := context.WithCancel(ctx)
	defer stop()
	w.reopen(taking)
	var helpers, slots sync.WaitGroup
	// The record outlives the stop, until what runs is given back: others must not take it over before.
	alive, done := context.WithCancel(context.WithoutCancel(ctx))
	helpers.Go(func() { w.register(alive) })
	helpers.Go(func() { w.obey(alive, taking, stop) })
	helpers.Go(func() {
		select {
		case <-drain:
			w.drain(stop)
		case <-alive.Done():
		}
	})
	// This is a hub that only leads.
	if w.Node.Slots == 0 {
		<-taking.Done()
	} else {
		// Before the slots start: what an earlier process has left is this machine's to continue.
		w.takeUp(ctx)
		slots.Go(func() { w.keepTakingUp(ctx, taking) })
	}
	for range w.Node.Slots {
		slots.Go(func() { w.slot(ctx, taking) })
	}
	slots.Wait()
	// Once more after the last run, whose hand-over may have failed.
	if w.Node.Slots > 0 && ctx.Err() == nil {
		w.takeUpLeft(ctx)
	}
	done()
	helpers.Wait()
	return ctx.Err()
}

// drain has nothing more start.
func (w *Worker) drain(stop context.CancelFunc) {
	w.mu.Lock()
	w.Node.Draining = true
	w.report()
	w.mu.Unlock()
	stop()
}

// CountEnded returns how many specs were worked to an end.
func (w *Worker) CountEnded() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended
}

// NoteLeading notes for the record of the node whether it also leads, and what is in the way of that.
func (w *Worker) NoteLeading(now bool, trouble string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.leading != now || w.trouble != trouble {
		w.leading, w.trouble = now, trouble
		w.report()
	}
}

// report has the record of the node written soon. w is locked.
func (w *Worker) report() {
	select {
	case w.changed <- struct{}{}:
	// It is due already, or Run has not begun.
	default:
	}
}

// record returns what the node does now.
func (w *Worker) record() fleet.Node {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.Node
	n.Running, n.Landing, n.Trouble = slices.Sorted(maps.Keys(w.running)), w.leading, w.trouble
	return n
}

// obey carries out commands until the context ends.
func (w *Worker) obey(ctx, taking context.Context, stop context.CancelFunc) {
	commands, err := w.Broker.Commands(ctx, w.Node.Name)
	if err != nil {
		engine.Warn(w.P, "", "commands cannot be received: "+err.Error())
		return
	}
	for c := range commands {
		switch c.Order {
		case fleet.Drain:
			w.drain(stop)
		case fleet.Cordon:
			w.cordon()
		case fleet.Uncordon:
			w.reopen(taking)
		case fleet.Stop:
			w.stopRun(ctx, c)
		case fleet.Answer:
			w.answer(ctx, c)
		}
	}
}

// stopRun pauses the run of a spec if it is here.
func (w *Worker) stopRun(ctx context.Context, c fleet.Command) {
	w.mu.Lock()
	_, here := w.running[c.Spec]
	if here {
		w.stopped[c.Spec] = true
	}
	w.mu.Unlock()
	if !here {
		return
	}
	if _, err := work.Pause(ctx, w.P, work.PauseInput{ID: c.Spec}); err != nil {
		engine.Warn(w.P, c.Spec, fmt.Sprintf("%s asked to stop it: %s", c.By, err))
	}
}

// slot works one spec after the other until taking ends.
func (w *Worker) slot(ctx, taking context.Context) {
	for taking.Err() == nil {
		open := w.takingContext()
		// A cordoned or full machine must not take an entry out of the queue.
		if open.Err() != nil || layout.Full(engine.Home(w.P)) {
			w.waitFor(taking, fleet.HeartRate)
			continue
		}
		d, err := w.Broker.Take(open, w.record())
		if err != nil {
			if open.Err() == nil {
				engine.Warn(w.P, "", "nothing can be taken from the queue: "+err.Error())
				w.waitFor(taking, fleet.HeartRate)
			}
			continue
		}
		w.serve(ctx, d)
	}
}

// cordon has nothing more be taken; slots that wait for an entry stop waiting.
func (w *Worker) cordon() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Node.Cordoned = true
	w.shut()
	w.report()
}

// reopen has entries be taken, until taking ends or the node is cordoned.
func (w *Worker) reopen(taking context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shut != nil {
		w.shut()
	}
	w.Node.Cordoned = false
	w.open, w.shut = context.WithCancel(taking)
	w.report()
}

// takingContext returns the context in which entries may be taken now.
func (w *Worker) takingContext() context.Context {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open
}

func (w *Worker) waitFor(ctx context.Context, most time.Duration) {
	select {
	case <-ctx.Done():
	case <-w.P.After(most):
	}
}

// begin records that a spec is being worked on here; false if it is already.
func (w *Worker) begin(id string, cancel context.CancelCauseFunc) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running[id] != nil {
		return false
	}
	w.running[id] = cancel
	// A stop belongs to the run that it ended.
	delete(w.stopped, id)
	w.report()
	return true
}

// finish records that a spec is not worked on here any more.
func (w *Worker) finish(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, id)
	w.report()
}

func (w *Worker) wasStopped(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stopped[id]
}

// newLease returns the text that distinguishes this claim from all others.
func newLease() string { return rand.Text() }

// register keeps the record of the node until the context ends, and removes it then.
func (w *Worker) register(ctx context.Context) {
	for away := ""; ; {
		err := w.Broker.Register(ctx, w.record())
		if err == nil || ctx.Err() == nil {
			away = w.reportSeen(away, err)
		}
		select {
		case <-ctx.Done():
			// With a time of its own, since the context has ended.
			gone, cancel := context.WithTimeout(context.WithoutCancel(ctx), fleet.HeartRate)
			defer cancel()
			if err := w.Broker.Unregister(gone, w.Node.Name); err != nil {
				engine.Warn(w.P, "", "the fleet sees this machine for some more seconds: "+err.Error())
			}
			return
		case <-w.changed:
		case <-w.P.After(fleet.HeartRate):
		}
	}
}

// reportSeen reports once for each reason that the fleet does not see this machine, and when it does again. away is the
// reason that was reported last, "" = none.
func (w *Worker) reportSeen(away string, err error) (now string) {
	if err == nil {
		if away != "" {
			engine.Warn(w.P, "", "the fleet sees this machine again")
		}
		w.recordRegistered()
		return ""
	}
	if err.Error() != away {
		engine.Warn(w.P, "", "the fleet does not see this machine: "+err.Error())
	}
	return err.Error()
}

// maxRecordGap is how long after the server was away a node that is alive has written its record again.
const maxRecordGap = 2 * fleet.HeartRate

// recordSeries is an unbroken row of records of this node.
type recordSeries struct{ first, last time.Time }

// recordRegistered notes that the record of the node was written.
func (w *Worker) recordRegistered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.P.Now()
	if now.Sub(w.records.last) > maxRecordGap {
		w.records.first = now
	}
	w.records.last = now
}

// isSteady reports whether this node has written its record long enough without a break that the records of all others
// that are alive must be there. A server that was away has none when it is back, and delivers at once what they work
// on.
func (w *Worker) isSteady() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.P.Now()
	// A server that was away has lost the records, and delivers at once what other machines still work on.
	return now.Sub(w.records.last) <= maxRecordGap && now.Sub(w.records.first) >= maxRecordGap
}
