package run

import "context"

// Merges looks whether the run's branch merges with the target as both stand now,
// and changes nothing. Errors: *Failure, Conflicted with the files, when it does not.
func (r *Run) Merges(ctx context.Context) error {
	target, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Target)
	if err != nil {
		return err
	}
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	_, err = r.mergedTree(ctx, target, tip)
	return err
}
