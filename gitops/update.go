package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// UpdateRef moves a ref, by its full name, from oldHash ("" when it must not exist) to
// newHash; why goes to the reflog. ErrChanged when it has another value.
func (r *Repo) UpdateRef(ctx context.Context, ref, newHash, oldHash, why string) error {
	if !layout.ValidRef(ref) {
		return fmt.Errorf("%q is not a valid ref name", ref)
	}
	return r.moveRef(ctx, layout.Place{Top: r.site.Home}, ref, newHash, oldHash, why)
}

// DeleteRef removes a ref that has the value oldHash; a missing one is fine. ErrChanged
// when it has another value.
func (r *Repo) DeleteRef(ctx context.Context, ref, oldHash string) error {
	now, err := r.readRef(ctx, ref)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil:
		return err
	case now != oldHash:
		return changed(ref, oldHash, now)
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"update-ref", "-d", ref, oldHash}})
	if gitexec.ExitCode(err) == 0 {
		return err
	}
	// What git says of a mismatch is not for machines; the ref itself tells.
	switch now, readErr := r.readRef(ctx, ref); {
	case errors.Is(readErr, ErrNotFound):
		return nil
	case readErr == nil && now != oldHash:
		return changed(ref, oldHash, now)
	}
	return err
}

// moveRef is UpdateRef run in a worktree; ref may also be its "HEAD", detached.
func (r *Repo) moveRef(ctx context.Context, p layout.Place, ref, newHash, oldHash, why string) error {
	expected := oldHash
	if expected == "" {
		expected = strings.Repeat("0", 2*r.site.Format.HashSize)
	}
	args := []string{"update-ref", "-m", why, ref, newHash, expected}
	if ref == "HEAD" {
		args = []string{"update-ref", "--no-deref", "-m", why, ref, newHash, expected}
	}
	_, err := r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: args})
	if gitexec.ExitCode(err) == 0 {
		return err
	}
	now, readErr := r.value(ctx, p, ref)
	if readErr == nil && now != oldHash {
		return changed(ref, oldHash, now)
	}
	return err
}

// value is what a ref, or HEAD of a worktree, points to; "" when nothing.
func (r *Repo) value(ctx context.Context, p layout.Place, ref string) (string, error) {
	if ref == "HEAD" {
		head, err := r.headOf(ctx, p)
		return head.Hash, err
	}
	hash, err := r.readRef(ctx, ref)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return hash, err
}

func changed(ref, expected, now string) error {
	return fmt.Errorf("ref %q: expected %q, found %q: %w", ref, expected, now, ErrChanged)
}
