package worker

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/fleet"
)

// flaky is a broker whose answers to Register are scripted; after the last one it ends the test.
type flaky struct {
	fleet.Broker
	answers []error
	end     context.CancelFunc
}

func (f *flaky) Register(context.Context, fleet.Node) error {
	if len(f.answers) == 0 {
		f.end()
		return nil
	}
	err := f.answers[0]
	f.answers = f.answers[1:]
	return err
}

func (f *flaky) Unregister(context.Context, string) error { return nil }

// TestWorker_register: that the fleet does not see a machine is reported once for each reason, and so is its end.
func TestWorker_register(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var said []string
	over := make(chan time.Time)
	close(over)
	p := &engine.Project{Options: engine.Options{
		Now:      time.Now,
		After:    func(time.Duration) <-chan time.Time { return over },
		Progress: func(ev engine.Event) { said = append(said, ev.Text) },
	}}
	lost, refused := errors.New("lost"), errors.New("refused")
	w := &Worker{P: p, Broker: &flaky{answers: []error{nil, lost, lost, refused, nil, nil, lost}, end: cancel}}
	w.register(ctx)
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
