package advice

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/run/train"
	"chant/engine/spec"
	"chant/engine/store/local"
	"chant/gitops"
)

// Place is where a branch is in the queue before its target.
type Place struct {
	Position int         `json:"position"` // from 1
	State    train.State `json:"state"`    // waiting, checking, passed, failed, held or landing
	Before   []string    `json:"-"`        // what lands or leaves before it, in this order
}

// Queue returns the queue before a target, and its branches in the order in which they land.
func Queue(p *engine.Project, target string) (train.Train, []train.Car, error) {
	t := train.Of(p.Store.LocalPath(local.Locks, ""), target)
	cars, err := t.Cars()
	return t, cars, err
}

// PlaceOf returns the place of a spec's branch in the queue before its target, nil if no process lands it.
func PlaceOf(p *engine.Project, s *spec.Spec) *Place {
	_, cars, err := Queue(p, s.Target)
	if err != nil {
		// chant queue reports it.
		return nil
	}
	at := slices.IndexFunc(cars, func(c train.Car) bool { return c.ID == s.ID })
	if at < 0 {
		return nil
	}
	return &Place{at + 1, cars[at].State, train.Before(cars, at)}
}

// String returns the place in a few words, such as "number 3 in the queue".
func (l Place) String() string {
	switch l.State {
	case train.Landing:
		return "landing"
	case train.Held:
		return "held in the queue"
	}
	return fmt.Sprintf("number %d in the queue", l.Position)
}

// Why says what the branch waits for.
func (l Place) Why() string {
	switch {
	case l.State == train.Landing:
		return "it is landing"
	case l.State == train.Held:
		return "a person holds it in the queue"
	case len(l.Before) == 0:
		return "it lands next"
	}
	return "it waits to land behind " + train.NameSome(l.Before)
}

// QueueTarget returns the target of a queue that a person has named, "" for that of the settings. Error: NotFound.
func QueueTarget(ctx context.Context, p *engine.Project, name string) (string, error) {
	if name == "" {
		return engine.Target(ctx, p)
	}
	_, err := p.Repo.Resolve(ctx, "refs/heads/"+name)
	if errors.Is(err, gitops.ErrNotFound) {
		// A queue that is held can be resumed, and what waits in it be taken out, also when its target is gone.
		t, cars, readErr := Queue(p, name)
		if _, held := t.IsHeld(); held || len(cars) > 0 || readErr != nil {
			return name, readErr
		}
		err = engine.NoBranch(name, "named by --target")
	}
	return name, err
}
