package revision

import (
	"context"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// TipsAtOnce bounds how many commits one process is asked about.
const TipsAtOnce = 500

// Independent are those of the commits that can be reached from none of the others, each
// once. Errors: ErrNotFound.
func (r *Reader) Independent(ctx context.Context, commits []string) ([]string, error) {
	out := []string{}
	for len(commits) > 0 {
		n := min(TipsAtOnce, len(commits))
		// What was found so far is asked about again with the next part, so that the result is that of all of them together.
		hashes, err := r.resolveAll(ctx, append(out, commits[:n]...))
		if err != nil {
			return nil, err
		}
		text, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: append([]string{"merge-base", "--independent"}, hashes...)})
		if err != nil {
			return nil, err
		}
		out, commits = strings.Fields(string(text)), commits[n:]
	}
	return out, nil
}

// Parted is the newest commit of tip that one of others has too, or ErrNotFound when they
// have no history in common.
func (r *Reader) Parted(ctx context.Context, tip string, others []string) (string, error) {
	best := ""
	for len(others) > 0 {
		n := min(TipsAtOnce, len(others))
		hashes, err := r.resolveAll(ctx, append([]string{tip}, others[:n]...))
		if err != nil {
			return "", err
		}
		// The best one so far competes with the next part.
		if best != "" {
			hashes = append(hashes, best)
		}
		text, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: append([]string{"merge-base"}, hashes...)})
		// Git exits with 1 if there is no common commit.
		if err != nil && gitexec.ExitCode(err) != 1 {
			return "", err
		}
		if base := strings.TrimSpace(string(text)); base != "" {
			best = base
		}
		others = others[n:]
	}
	if best == "" {
		return "", fmt.Errorf("common ancestor of %q and others: %w", tip, layout.ErrNotFound)
	}
	return best, nil
}

func (r *Reader) resolveAll(ctx context.Context, revs []string) ([]string, error) {
	out := make([]string, 0, len(revs))
	for _, rev := range revs {
		hash, err := r.Resolve(ctx, rev)
		if err != nil {
			return nil, err
		}
		out = append(out, hash)
	}
	return out, nil
}
