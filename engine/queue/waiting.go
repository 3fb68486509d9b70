package queue

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/advice"
)

// onlyWaiting is the error of an operation on many that could start nothing, because all that is left
// waits for others, for a decision or for a person; nil where anything ended, could start or was left
// out for another reason.
func onlyWaiting(ctx context.Context, p *engine.Project, r WorkAllResult) error {
	waiting := r.Waiting
	for _, s := range r.Skipped {
		if !s.waits {
			return nil
		}
		waiting = append(waiting, WaitingSpec{s.ID, s.Why})
	}
	if r.Starts > 0 || len(waiting) == 0 || len(r.Completed)+len(r.Failed)+len(r.Ready)+len(r.Held) > 0 {
		return nil
	}
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return err
	}
	first := waiting[0].ID
	s, err := engine.Readable(set, g, first)
	if err != nil {
		return err
	}
	l, err := advice.Gather(ctx, p, g, s)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("spec %q", first)
	if n := len(waiting); n > 1 {
		what = fmt.Sprintf("%d specs wait, the first of them is %q", n, first)
	}
	next := l.Conclude()
	return engine.Fail(engine.Blocked, next.Next, "nothing could start; %s: %s", what, next.Why)
}
