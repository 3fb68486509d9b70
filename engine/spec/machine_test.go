package spec

import (
	"errors"
	"testing"

	"github.com/alecthomas/assert/v2"
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
			assert.True(t, listed, "%s, %s: not in the table", from, ev)
			got, err := Next(from, ev)
			if want == "" {
				refused, ok := errors.AsType[*StateError](err)
				assert.True(t, ok, "%s, %s = %s, %v; want a refusal", from, ev, got, err)
				assert.Equal(t, from, got, "%v", err)
				assert.Equal(t, from, refused.From, "%v", err)
				assert.Equal(t, ev, refused.Event, "%v", err)
				assert.Equal(t, Allowed(from), refused.Allowed, "%v", err)
				continue
			}
			assert.NoError(t, err, "%s, %s", from, ev)
			assert.Equal(t, want, got, "%s, %s", from, ev)
		}
	}
}

func TestNext_unknown(t *testing.T) {
	t.Parallel()
	got, err := Next(Pending, "explode")
	assert.Error(t, err)
	assert.Equal(t, Pending, got)
	_, err = Next("elsewhere", Start)
	assert.Error(t, err, "unknown status may start")
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
		assert.Equal(t, want, Allowed(from), "%s allows", from)
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
			_, refused := errors.AsType[*StateError](err)
			assert.Equal(t, want, got, "from %s to %s = %v", from, to, err)
			assert.Equal(t, want == "", refused, "from %s to %s = %v", from, to, err)
		}
	}
	_, err := EventTo(Pending, "elsewhere")
	assert.Error(t, err, "an event leads to a status that does not exist")
}

func TestStateError_text(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"cannot complete a spec that is pending (allowed: start, cancel)": &StateError{Pending, Complete, Allowed(Pending)},
		"cannot start a spec that is cancelled (allowed: reset)":          &StateError{Cancelled, Start, Allowed(Cancelled)},
		"cannot start a spec that is lost":                                &StateError{"lost", Start, nil},
	} {
		assert.Equal(t, want, err.Error())
	}
}
