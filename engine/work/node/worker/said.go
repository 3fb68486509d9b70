package worker

import (
	"chant/engine"
	"chant/engine/fleet"
)

// kindPushed is the kind of the event with which the work on a spec is over on this machine.
const kindPushed = "pushed"

// pushed reports that what the work on a spec has led to is in the remote.
func (j *job) pushed(f final, status string) {
	text := status
	switch f.state {
	case fleet.Completed:
		text = "completed: the hub lands it"
	case fleet.Returned:
		text = "given back: " + f.reason
	default:
		if f.reason != "" {
			text += ": " + f.reason
		}
	}
	if w := j.w; w.P.Progress != nil {
		w.P.Progress(engine.Event{Time: w.P.Now(), ID: j.id, Kind: kindPushed, Text: text})
	}
}

// hindered is the end of an entry that this machine cannot work now because of an error. The error is reported once, until
// a claim succeeds: entries are delivered again every few seconds.
func (j *job) hindered(err error) ending {
	w := j.w
	w.mu.Lock()
	known := w.hindrance == err.Error()
	w.hindrance = err.Error()
	w.mu.Unlock()
	if !known {
		engine.Warn(w.P, j.id, "this machine cannot work it now, and tries again: "+err.Error())
	}
	return ending{later: soon, why: err.Error()}
}

// unhindered forgets what has hindered the machine.
func (w *Worker) unhindered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hindrance = ""
}
