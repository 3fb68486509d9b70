package work

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/run/train"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/local"
)

// QueueOrderInput names the branch in the queue that an order is about, or the queue.
type QueueOrderInput struct {
	ID     string `json:"id,omitempty" jsonschema:"Spec ID (full or partial)"`
	Target string `json:"target,omitempty" jsonschema:"Branch on which it lands (default: that of the spec, or of the settings)"`
}

// QueueOrderResult is an order that was given.
type QueueOrderResult struct {
	Order  string      `json:"order"`        // hold, resume, eject or first
	ID     string      `json:"id,omitempty"` // "" for the whole queue
	Target string      `json:"target"`
	Next   next.Advice `json:"next,omitzero"`
}

// HoldQueue stops a branch in the queue, or without ID all that land on the target, until it is resumed.
func HoldQueue(ctx context.Context, p *engine.Project, in QueueOrderInput) (QueueOrderResult, error) {
	return orderQueued(ctx, p, in, "hold", func(q queued) (then next.Advice, err error) {
		// Since when it is held stays what it is.
		if _, held := q.IsHeld(); !held || in.ID != "" {
			err = q.Hold(q.car.ID)
		}
		resume := next.QueueResume.On(q.car.ID)
		if in.Target != "" {
			resume = resume.Set("target", in.Target)
		}
		return resume.Because("it is held until then"), err
	})
}

// ResumeQueue ends a hold of a branch, or without ID that of the queue. Error: State if it is not held.
func ResumeQueue(ctx context.Context, p *engine.Project, in QueueOrderInput) (QueueOrderResult, error) {
	return orderQueued(ctx, p, in, "resume", func(q queued) (next.Advice, error) {
		was, err := q.Resume(q.car.ID)
		switch {
		case err == nil && !was && in.ID == "":
			err = engine.Fail(engine.State, next.Queue.On(), "the queue of %q is not held", q.Target)
		case err == nil && !was:
			err = engine.Fail(engine.State, next.Queue.On(), "%q is not held by itself", q.car.ID)
		}
		return next.Queue.On().Because("it lists what lands when"), err
	})
}

// EjectQueued takes a branch out of the queue; it stays complete.
func EjectQueued(ctx context.Context, p *engine.Project, in QueueOrderInput) (QueueOrderResult, error) {
	return orderQueued(ctx, p, in, "eject", func(q queued) (next.Advice, error) {
		return next.Merge.On(q.car.ID).Because("its branch stays complete"), q.Eject(q.car.ID)
	})
}

// PutQueuedFirst lets a branch land before all others in the queue.
func PutQueuedFirst(ctx context.Context, p *engine.Project, in QueueOrderInput) (QueueOrderResult, error) {
	return orderQueued(ctx, p, in, "first", func(q queued) (next.Advice, error) {
		return next.Queue.On().Because("it lists what lands when"), q.First(q.car.ID)
	})
}

// orderQueued gives an order about a branch in a queue, or about the queue. Error: State for a branch that is not in the
// queue, or is landing.
func orderQueued(ctx context.Context, p *engine.Project, in QueueOrderInput, order string, give func(queued) (next.Advice, error)) (QueueOrderResult, error) {
	q, err := findQueued(ctx, p, in)
	if err == nil && q.car.State == train.Landing {
		err = engine.Fail(engine.State, next.Queue.On(), "%q is landing already", q.car.ID)
	}
	if err != nil {
		return QueueOrderResult{}, engine.Wrap(err, in.ID)
	}
	then, err := give(q)
	return engine.Done(QueueOrderResult{order, q.car.ID, q.Target, then}, err, q.car.ID)
}

// queued is a branch in a queue, or with the zero Car the queue itself.
type queued struct {
	train.Train
	car train.Car
}

// findCar finds the branch of a spec in any queue.
func findCar(p *engine.Project, id string) (q queued, found bool, err error) {
	trains, err := train.All(p.Store.LocalPath(local.Locks, ""))
	for _, t := range trains {
		cars, err := t.Cars()
		if err != nil {
			return queued{}, false, err
		}
		if at := slices.IndexFunc(cars, func(c train.Car) bool { return c.ID == id }); at >= 0 {
			return queued{t, cars[at]}, true, nil
		}
	}
	return queued{}, false, err
}

// findQueued finds what an order is about. Error: State for a spec whose branch is not in the queue.
func findQueued(ctx context.Context, p *engine.Project, in QueueOrderInput) (queued, error) {
	id, target := "", in.Target
	if in.ID != "" {
		var err error
		if id, err = engine.Find(ctx, p, in.ID); err != nil {
			return queued{}, err
		}
	}
	if err := engine.MayInside(p, "queue", id); err != nil {
		return queued{}, err
	}
	var s *spec.Spec
	if id != "" {
		set, g, err := engine.GraphAround(ctx, p, id)
		if err == nil {
			s, err = engine.Readable(set, g, id)
		}
		if err != nil {
			return queued{}, err
		}
		if target == "" {
			// Its target may have another name by now than the queue that it waits in.
			if q, found, err := findCar(p, id); found || err != nil {
				return q, err
			}
			target = s.Target
		}
	}
	target, err := advice.QueueTarget(ctx, p, target)
	if err != nil {
		return queued{}, err
	}
	t, cars, err := advice.Queue(p, target)
	if err != nil || id == "" {
		return queued{Train: t}, err
	}
	if at := slices.IndexFunc(cars, func(c train.Car) bool { return c.ID == id }); at >= 0 {
		return queued{t, cars[at]}, nil
	}
	step := next.Queue.On()
	if s.Status == spec.Completed && !s.Landed {
		step = next.Merge.On(id)
	}
	return queued{}, engine.Fail(engine.State, step, "%q is not in the queue of %q", id, target)
}
