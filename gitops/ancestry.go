package gitops

import "context"

// MergeBase returns the best common ancestor. Errors: ErrNotFound also when there is
// none, as between unrelated histories.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	return r.revs.MergeBase(ctx, a, b)
}

// IsAncestor reports whether a is b or can be reached from it.
func (r *Repo) IsAncestor(ctx context.Context, a, b string) (bool, error) {
	return r.revs.IsAncestor(ctx, a, b)
}

// Independent are those of the commits that can be reached from none of the others, each
// once. Errors: ErrNotFound.
func (r *Repo) Independent(ctx context.Context, commits []string) ([]string, error) {
	return r.revs.Independent(ctx, commits)
}

// Parted is the newest commit of tip that one of others has too, or ErrNotFound when they
// have no history in common.
func (r *Repo) Parted(ctx context.Context, tip string, others []string) (string, error) {
	return r.revs.Parted(ctx, tip, others)
}
