package run

import "context"

// legible puts the run's spec back as it was trusted where the agent has left nothing on
// the branch that could say what happened: no file, one that cannot be read, or a link.
func (r *Run) legible(ctx context.Context) error {
	if r.Job.Silent || r.Tree == "" || !r.Whole(r.Tree) {
		return nil
	}
	if _, err := r.OwnSpec(ctx); err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	start, err := r.Trusted(ctx)
	if err != nil {
		return err
	}
	return r.Guard.PutBack(ctx, start)
}
