package launch

import (
	"context"
	"fmt"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
)

// The kinds of progress about questions.
const (
	askedKind     = "question"
	answeredKind  = "answered"
	withdrawnKind = "withdrawn"
)

// listener announces the questions that the agent at work asks, and what becomes of them.
type listener struct {
	*Launcher
	box  question.Box
	seen map[int]question.State
	err  error // the first one; used when the listener has ended
}

// listen begins to announce questions. What is announced takes turns with the agent's output. stop announces what is
// left and returns the first error.
func (l *Launcher) listen(ctx context.Context) (stop func() error) {
	on := &listener{Launcher: l, box: question.In(l.Store.Files, l.Now), seen: map[int]question.State{}}
	if all, err := on.box.List(on.place()); err == nil {
		for _, q := range all {
			if q.State != question.Open { // an open one is announced again, because its first event may have been missed
				on.seen[q.Number] = q.State
			}
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	changed, done, err := on.box.Changes(ctx)
	if err != nil {
		cancel()
		return func() error { return err }
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		on.look()
		for {
			select {
			case <-ctx.Done():
				return
			case <-changed:
				on.look()
			}
		}
	}()
	return func() error {
		cancel()
		<-done
		<-ended
		on.look()
		return on.err
	}
}

func (on *listener) place() question.Place { return question.OfSpec(on.Job.ID) }

// look announces what has changed since the last look.
func (on *listener) look() {
	all, err := on.box.List(on.place())
	if err != nil {
		on.fail(err)
		return
	}
	on.turn.Lock()
	defer on.turn.Unlock()
	for _, q := range all {
		was, known := on.seen[q.Number]
		if known && was == q.State {
			continue
		}
		on.seen[q.Number] = q.State
		on.announce(q)
	}
}

func (on *listener) fail(err error) {
	if on.err == nil {
		on.err = err
	}
}

// announce reports a question and writes it to the log.
func (on *listener) announce(q question.Question) {
	kind, text := askedKind, q.Prompt
	switch q.State {
	case question.Answered:
		kind, text = answeredKind, q.Answer
	case question.Withdrawn:
		kind, text = withdrawnKind, q.Why
	case question.Open:
	}
	if on.Emit != nil {
		on.Emit(journal.Event{Time: on.Now(), ID: on.Job.ID, Step: journal.Agent, Kind: kind, Text: text, Question: q.Number})
	}
	if err := on.LogLine(fmt.Sprintf("%s %d: %s", kind, q.Number, text)); err != nil {
		on.fail(err)
	}
}
