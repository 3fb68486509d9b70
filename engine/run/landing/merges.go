package landing

import "context"

// Merges checks, without changing anything, whether the run's branch merges with the target as both are now. Errors:
// *Failure with the files, of the kind ReasonConflict, if it does not.
func (l *Lander) Merges(ctx context.Context) error {
	target, err := l.Repo.Resolve(ctx, "refs/heads/"+l.Job.Target)
	if err != nil {
		return err
	}
	tip, err := l.Repo.Resolve(ctx, "refs/heads/"+l.Job.Branch)
	if err != nil {
		return err
	}
	_, err = l.mergedTree(ctx, target, tip)
	return err
}
