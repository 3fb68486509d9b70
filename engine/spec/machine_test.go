package spec

import (
	"errors"
	"slices"
	"testing"
)

// table is the state machine as people read it; "" means that the event is not allowed. It is written out, so that
// every change of the code must be repeated here.
var table = map[Status]map[Event]Status{
	Pending: {
		Start: InProgress, Pause: "", Complete: "", Fail: "", Flag: "", Cancel: Cancelled, Reset: "", Replay: "",
	},
	InProgress: {
		Start: "", Pause: Paused, Complete: Completed, Fail: Failed, Flag: NeedsAttention, Cancel: Cancelled, Reset: Pending, Replay: "",
	},
	Paused: {
		Start: InProgress, Pause: "", Complete: Completed, Fail: Failed, Flag: NeedsAttention, Cancel: Cancelled, Reset: Pending, Replay: "",
	},
	Completed: {
		Start: "", Pause: "", Complete: "", Fail: "", Flag: NeedsAttention, Cancel: "", Reset: "", Replay: InProgress,
	},
	Failed: {
		Start: InProgress, Pause: "", Complete: Completed, Fail: "", Flag: NeedsAttention, Cancel: Cancelled, Reset: Pending, Replay: "",
	},
	NeedsAttention: {
		Start: InProgress, Pause: "", Complete: Completed, Fail: "", Flag: "", Cancel: Cancelled, Reset: Pending, Replay: "",
	},
	Cancelled: {
		Start: "", Pause: "", Complete: "", Fail: "", Flag: "", Cancel: "", Reset: Pending, Replay: "",
	},
}

var allEvents = []Event{Start, Pause, Complete, Fail, Flag, Cancel, Reset, Replay}

func TestNext_everyStatusAndEvent(t *testing.T) {
	t.Parallel()
	if len(table) != len(Statuses()) || len(allEvents) != len(Transitions()) {
		t.Fatalf("the table has %d statuses and %d events, the machine %d and %d", len(table), len(allEvents), len(Statuses()), len(Transitions()))
	}
	for _, from := range Statuses() {
		for _, ev := range allEvents {
			want, listed := table[from][ev]
			if !listed {
				t.Fatalf("%s, %s: not in the table", from, ev)
			}
			got, err := Next(from, ev)
			if want == "" {
				refused, ok := errors.AsType[*StateError](err)
				if !ok || got != from || refused.From != from || refused.Event != ev || !slices.Equal(refused.Allowed, Allowed(from)) {
					t.Errorf("%s, %s = %s, %v; want a refusal", from, ev, got, err)
				}
				continue
			}
			if err != nil || got != want {
				t.Errorf("%s, %s = %s, %v; want %s", from, ev, got, err, want)
			}
		}
	}
}

func TestNext_unknown(t *testing.T) {
	t.Parallel()
	if got, err := Next(Pending, "explode"); err == nil || got != Pending {
		t.Errorf("unknown event = %s, %v", got, err)
	}
	if _, err := Next("elsewhere", Start); err == nil {
		t.Error("unknown status may start")
	}
}

func TestAllowed_inTableOrder(t *testing.T) {
	t.Parallel()
	for _, from := range Statuses() {
		var want []Event
		for _, ev := range allEvents {
			if table[from][ev] != "" {
				want = append(want, ev)
			}
		}
		if got := Allowed(from); !slices.Equal(got, want) {
			t.Errorf("%s allows %v, want %v", from, got, want)
		}
	}
}

func TestEventTo_everyPair(t *testing.T) {
	t.Parallel()
	for _, from := range Statuses() {
		for _, to := range Statuses() {
			var want Event
			for _, ev := range allEvents {
				if table[from][ev] == to && ev != Replay {
					want = ev
				}
			}
			got, err := EventTo(from, to)
			if _, refused := errors.AsType[*StateError](err); got != want || refused != (want == "") {
				t.Errorf("from %s to %s = %q, %v; want %q", from, to, got, err, want)
			}
		}
	}
	if _, err := EventTo(Pending, "elsewhere"); err == nil {
		t.Error("an event leads to a status that does not exist")
	}
}

func TestStateError_text(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"cannot complete a spec that is pending (allowed: start, cancel)": &StateError{Pending, Complete, Allowed(Pending)},
		"cannot start a spec that is cancelled (allowed: reset)":          &StateError{Cancelled, Start, Allowed(Cancelled)},
		"cannot start a spec that is lost":                                &StateError{"lost", Start, nil},
	} {
		if got := err.Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
