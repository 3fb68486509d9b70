package revision

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// maxAncestry bounds what is remembered of how commits are related.
const maxAncestry = 4096

// ancestry remembers how commits are related, which no later commit changes: landing one run asks the same questions
// about the same commits a dozen times, and far from each other each takes a process.
type ancestry struct {
	mu    sync.Mutex
	known map[[3]string]string
}

// recall returns what was remembered.
func (a *ancestry) recall(question, x, y string) (string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, ok := a.known[[3]string{question, x, y}]
	return answer, ok
}

func (a *ancestry) remember(question, x, y, answer string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	// How two commits are related never changes, so everything can be asked again.
	if a.known == nil || len(a.known) >= maxAncestry {
		a.known = map[[3]string]string{}
	}
	a.known[[3]string{question, x, y}] = answer
}

// MergeBase returns the best common ancestor. Errors: ErrNotFound also when there is
// none, as between unrelated histories.
func (r *Reader) MergeBase(ctx context.Context, a, b string) (string, error) {
	hashes, err := r.ResolveBoth(ctx, a, b)
	if err != nil {
		return "", err
	}
	// Mostly one of them leads to the other within a few commits, which takes no process.
	if r.IsAhead(ctx, hashes[0], hashes[1]) {
		return hashes[0], nil
	}
	if r.IsAhead(ctx, hashes[1], hashes[0]) {
		return hashes[1], nil
	}
	answer, err := r.related(ctx, "base", hashes, gitexec.Call{Dir: r.Site.Home, Args: []string{"merge-base", hashes[0], hashes[1]}})
	if gitexec.ExitCode(err) == 1 {
		return "", fmt.Errorf("common ancestor of %q and %q: %w", a, b, layout.ErrNotFound)
	}
	return answer, err
}

// MergeBases returns all commits at which the histories of two commits part, given by their hashes; none if they have nothing in
// common.
func (r *Reader) MergeBases(ctx context.Context, a, b string) ([]string, error) {
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		if r.IsAhead(ctx, pair[0], pair[1]) {
			return []string{pair[0]}, nil
		}
	}
	out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: []string{"merge-base", "--all", a, b}})
	// Git says what is wrong with histories that have nothing in common where it needs them.
	if gitexec.ExitCode(err) == 1 {
		return nil, nil
	}
	return strings.Fields(string(out)), err
}

// IsAncestor reports whether a is b or can be reached from it.
func (r *Reader) IsAncestor(ctx context.Context, a, b string) (bool, error) {
	hashes, err := r.ResolveBoth(ctx, a, b)
	if err != nil || hashes[0] == hashes[1] {
		return err == nil, err
	}
	if yes, known := r.nearAncestor(ctx, hashes[0], hashes[1]); known {
		return yes, nil
	}
	_, err = r.related(ctx, "ancestor", hashes, gitexec.Call{Dir: r.Site.Home, Args: []string{"merge-base", "--is-ancestor", hashes[0], hashes[1]}})
	if gitexec.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// related asks git how two commits are related, or remembers what it said. In a shallow clone
// more history may arrive, so nothing is remembered there, and neither is that they are not.
func (r *Reader) related(ctx context.Context, question string, of [2]string, ask gitexec.Call) (string, error) {
	if answer, ok := r.ancestry.recall(question, of[0], of[1]); ok {
		return answer, nil
	}
	out, err := r.Git.Run(ctx, ask)
	if err != nil {
		return "", err
	}
	answer := strings.TrimSpace(string(out))
	// In a shallow clone more history may arrive, and an answer may change with it.
	if _, err := os.Lstat(filepath.Join(r.Site.Common, "shallow")); err != nil {
		r.ancestry.remember(question, of[0], of[1], answer)
	}
	return answer, nil
}

// ResolveBoth resolves two revisions. Errors as Resolve.
func (r *Reader) ResolveBoth(ctx context.Context, a, b string) (hashes [2]string, err error) {
	if hashes[0], err = r.Resolve(ctx, a); err != nil {
		return hashes, err
	}
	hashes[1], err = r.Resolve(ctx, b)
	return hashes, err
}
