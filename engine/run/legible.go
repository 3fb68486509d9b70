package run

import "context"

// legible puts the run's spec back as it was trusted where the agent has left nothing on
// the branch that could say what happened: no file, one that cannot be read, or a link.
func (r *Run) legible(ctx context.Context) error {
	if r.Job.Silent || r.Tree == "" || !r.whole(r.Tree) {
		return nil
	}
	if _, err := r.ownSpec(ctx); err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	start, err := r.trusted(ctx)
	if err != nil {
		return err
	}
	return r.putBack(ctx, start)
}
