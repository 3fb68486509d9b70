package board

import (
	"context"
	"sync"
	"time"

	"chant/cmd/tui/board"
	"chant/engine"

	tea "charm.land/bubbletea/v2"
)

// How often the board looks without a report of the system, since no system reports the changes of all file systems, and
// how long it waits for further changes before it looks.
const (
	lookAnyway   = time.Minute
	settleCards  = 100 * time.Millisecond
	settleLogged = 250 * time.Millisecond
)

// watch sends changes of specs, branches, runs and logs to the board until ctx is done. The channel is closed when
// nothing runs for it any more. Where the system reports no changes, it looks as often as a watch does.
func (d *desk) watch(ctx context.Context, program *tea.Program) <-chan struct{} {
	var running sync.WaitGroup
	type source struct {
		changes func(context.Context, time.Duration) (<-chan struct{}, error)
		settle  time.Duration
		msg     tea.Msg
	}
	projects := []*engine.Project{d.p}
	if d.places != nil {
		projects = nil
	}
	for _, place := range d.places {
		projects = append(projects, place.Of)
	}
	var sources []source
	for _, p := range projects {
		sources = append(sources, source{p.Store.ViewChanges, settleCards, board.Changed{}}, source{p.Store.LogChanges, settleLogged, board.Logged{}})
	}
	for _, of := range sources {
		changed, err := of.changes(ctx, lookAnyway)
		if err != nil {
			// Without reports of the system, the interval alone works all the same.
			changed, _ = of.changes(ctx, d.p.Config.Watch.Poll)
		}
		running.Go(func() { debounce(ctx, changed, of.settle, func() { program.Send(of.msg) }) })
	}
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }()
	return done
}

// debounce sends once for all changes that follow each other within a short time.
func debounce(ctx context.Context, changed <-chan struct{}, settle time.Duration, send func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(settle):
		}
		select {
		// What this announces is read now.
		case <-changed:
		default:
		}
		send()
	}
}
