package run

import "context"

// ensureReadable restores the trusted version of the run's spec if the agent has left none on the branch that a status
// can be written into: no file, an invalid one, or a link.
func (r *Run) ensureReadable(ctx context.Context) error {
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
