package queue

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/run/advice"
)

// errorIfOnlyWaiting returns the error of an operation on many specs that could start nothing because
// every spec waits for others, for a decision or for a person; nil if anything ended, could start or
// was skipped for another reason.
func errorIfOnlyWaiting(ctx context.Context, p *engine.Project, r WorkAllResult) error {
	waiting := r.Waiting
	for _, s := range r.Skipped {
		if !s.waits {
			return nil
		}
		waiting = append(waiting, WaitingSpec{ID: s.ID, For: s.Why})
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
