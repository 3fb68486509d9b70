package worker

import (
	"errors"
	"slices"
	"testing"
	"time"

	"chant/engine"
)

// TestWorker_reportSeen: that the fleet does not see a machine is reported once for each reason, and so is its end.
func TestWorker_reportSeen(t *testing.T) {
	t.Parallel()
	var said []string
	w := &Worker{P: &engine.Project{Options: engine.Options{Now: time.Now, Progress: func(ev engine.Event) { said = append(said, ev.Text) }}}}
	lost, refused, away := errors.New("lost"), errors.New("refused"), ""
	for _, err := range []error{nil, lost, lost, refused, nil, nil, lost, nil} {
		away = w.reportSeen(away, err)
	}
	want := []string{
		"the fleet does not see this machine: lost", "the fleet does not see this machine: refused", "the fleet sees this machine again",
		"the fleet does not see this machine: lost", "the fleet sees this machine again",
	}
	if !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}

// TestJob_hindered: an error that stays is reported once, and again after a claim.
func TestJob_hindered(t *testing.T) {
	t.Parallel()
	said := 0
	w := &Worker{P: &engine.Project{Options: engine.Options{Now: time.Now, Progress: func(engine.Event) { said++ }}}}
	j := &job{w: w, id: "a"}
	for range 3 {
		if end := j.hindered(errors.New("x")); end.later != soon || end.why != "x" {
			t.Errorf("%+v", end)
		}
	}
	w.unhindered()
	j.hindered(errors.New("x"))
	if said != 2 {
		t.Errorf("reported %d times, want 2", said)
	}
}
