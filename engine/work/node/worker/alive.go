package worker

import (
	"context"
	"time"

	"chant/engine"
	"chant/engine/fleet"
)

// register keeps the record of the node until the context ends, and removes it then.
func (w *Worker) register(ctx context.Context) {
	for away := ""; ; {
		err := w.Broker.Register(ctx, w.record())
		if err == nil || ctx.Err() == nil {
			away = w.reportSeen(away, err)
		}
		select {
		case <-ctx.Done():
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
		w.registered()
		return ""
	}
	if err.Error() != away {
		engine.Warn(w.P, "", "the fleet does not see this machine: "+err.Error())
	}
	return err.Error()
}

// back is how long after the server was away a node that is alive has written its record again.
const back = 2 * fleet.HeartRate

// series is an unbroken row of records of this node.
type series struct{ first, last time.Time }

// registered notes that the record of the node was written.
func (w *Worker) registered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.P.Now()
	if now.Sub(w.records.last) > back {
		w.records.first = now
	}
	w.records.last = now
}

// steady reports whether this node has written its record long enough without a break that the records of all others
// that are alive must be there. A server that was away has none when it is back, and delivers at once what they work
// on.
func (w *Worker) steady() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.P.Now()
	return now.Sub(w.records.last) <= back && now.Sub(w.records.first) >= back
}
