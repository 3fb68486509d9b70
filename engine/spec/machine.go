package spec

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/looplab/fsm"
)

// Event is something that happens to a spec.
type Event string

// The events of the state machine. Their words are written into commit subjects and into the Chant-Event trailer.
const (
	Start    Event = "start"    // an attempt begins
	Pause    Event = "pause"    // an attempt was stopped and can be continued
	Complete Event = "complete" // every criterion passed
	Fail     Event = "fail"     // the attempt ended without completing the spec
	Flag     Event = "flag"     // a person must look at the spec
	Cancel   Event = "cancel"   // the spec will not be worked
	Reset    Event = "reset"    // the spec becomes pending again
	Replay   Event = "replay"   // a completed spec is worked again
)

// Transition is one row of the table.
type Transition struct {
	Event Event
	From  []Status
	To    Status
}

// Transitions is the whole table: what is not in it cannot happen.
func Transitions() []Transition {
	return []Transition{
		{Start, []Status{Pending, Paused, Failed, NeedsAttention}, InProgress},
		{Pause, []Status{InProgress}, Paused},
		{Complete, []Status{InProgress, Paused, Failed, NeedsAttention}, Completed},
		{Fail, []Status{InProgress, Paused}, Failed},
		{Flag, []Status{InProgress, Paused, Failed, Completed}, NeedsAttention},
		{Cancel, []Status{Pending, InProgress, Paused, Failed, NeedsAttention}, Cancelled},
		{Reset, []Status{InProgress, Paused, Failed, NeedsAttention, Cancelled}, Pending},
		{Replay, []Status{Completed}, InProgress},
	}
}

// StateError reports an event that is not allowed in a status.
type StateError struct {
	From    Status
	Event   Event
	Allowed []Event
}

// Error names the event, the status and the events that are allowed.
func (e *StateError) Error() string {
	if len(e.Allowed) == 0 {
		return fmt.Sprintf("cannot %s a spec that is %s", e.Event, e.From)
	}
	words := make([]string, len(e.Allowed))
	for i, ev := range e.Allowed {
		words[i] = string(ev)
	}
	return fmt.Sprintf("cannot %s a spec that is %s (allowed: %s)", e.Event, e.From, strings.Join(words, ", "))
}

// Next returns the status that follows when ev happens in from. It returns a *StateError if the table does not allow
// it.
func Next(from Status, ev Event) (Status, error) {
	m := fsm.NewFSM(string(from), events(), nil)
	if err := m.Event(context.Background(), string(ev)); err != nil {
		return from, &StateError{From: from, Event: ev, Allowed: Allowed(from)}
	}
	return Status(m.Current()), nil
}

// Allowed lists the events that may happen in a status, in table order.
func Allowed(from Status) []Event {
	m := fsm.NewFSM(string(from), events(), nil)
	var out []Event
	for _, t := range Transitions() {
		if m.Can(string(t.Event)) {
			out = append(out, t.Event)
		}
	}
	return out
}

// EventTo returns the event that leads from one status to another, and a *StateError if there is none.
func EventTo(from, to Status) (Event, error) {
	for _, t := range Transitions() {
		if t.To == to {
			// The first row with this status decides, so Replay, which leads to the same status as Start, is never returned.
			if slices.Contains(t.From, from) {
				return t.Event, nil
			}
			return "", &StateError{From: from, Event: t.Event, Allowed: Allowed(from)}
		}
	}
	return "", &StateError{From: from, Event: Event("make " + string(to)), Allowed: Allowed(from)}
}

func events() fsm.Events {
	var out fsm.Events
	for _, t := range Transitions() {
		src := make([]string, len(t.From))
		for i, s := range t.From {
			src[i] = string(s)
		}
		out = append(out, fsm.EventDesc{Name: string(t.Event), Src: src, Dst: string(t.To)})
	}
	return out
}
