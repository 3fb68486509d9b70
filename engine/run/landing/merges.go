package landing

import "context"

// Merges looks whether the run's branch merges with the target as both stand now,
// and changes nothing. Errors: *Failure, Conflicted with the files, when it does not.
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
