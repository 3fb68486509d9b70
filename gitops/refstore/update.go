package refstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Tip is what a ref, or HEAD of a worktree, points to; ErrNotFound when nothing.
func (s *Store) Tip(ctx context.Context, p layout.Place, ref string) (string, error) {
	tip, err := s.Value(ctx, p, ref)
	if err == nil && tip == "" { // deleted meanwhile: that says nothing about its paths
		err = fmt.Errorf("ref %q: %w", ref, layout.ErrNotFound)
	}
	return tip, err
}

// Update moves a ref, by its full name, from oldHash ("" when it must not exist) to newHash; why
// goes to the reflog.
func (s *Store) Update(ctx context.Context, ref, newHash, oldHash, why string) error {
	if !layout.ValidRef(ref) {
		return fmt.Errorf("%q is not a valid ref name", ref)
	}
	return s.Move(ctx, layout.Place{Top: s.Site.Home}, ref, newHash, oldHash, why)
}

// Delete removes a ref that has the value oldHash; a missing one is fine.
func (s *Store) Delete(ctx context.Context, ref, oldHash string) error {
	now, err := s.Read(ctx, ref)
	switch {
	case errors.Is(err, layout.ErrNotFound):
		return nil
	case err != nil:
		return err
	case now != oldHash:
		return Changed(ref, oldHash, now)
	}
	_, err = s.Git.Retry(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"update-ref", "-d", ref, oldHash}})
	if gitexec.ExitCode(err) == 0 {
		return err
	}
	// What git says of a mismatch is not for machines; the ref itself tells.
	switch now, readErr := s.Read(ctx, ref); {
	case errors.Is(readErr, layout.ErrNotFound):
		return nil
	case readErr == nil && now != oldHash:
		return Changed(ref, oldHash, now)
	}
	return err
}

// Move is Update run in a worktree; ref may also be its "HEAD", detached.
func (s *Store) Move(ctx context.Context, p layout.Place, ref, newHash, oldHash, why string) error {
	expected := oldHash
	if expected == "" {
		expected = strings.Repeat("0", 2*s.Site.Format.HashSize)
	}
	args := []string{"update-ref", "-m", why, ref, newHash, expected}
	if ref == "HEAD" {
		args = []string{"update-ref", "--no-deref", "-m", why, ref, newHash, expected}
	}
	_, err := s.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: args})
	return s.orChanged(ctx, p, ref, oldHash, err)
}

// Forward is Move of a branch that a worktree has checked out; ORIG_HEAD of the worktree is set to oldHash by the same
// transaction.
func (s *Store) Forward(ctx context.Context, p layout.Place, ref, newHash, oldHash, why string) error {
	lines := fmt.Sprintf("update %s %s %s\nupdate ORIG_HEAD %s\n", ref, newHash, oldHash, oldHash)
	_, err := s.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"update-ref", "-m", why, "--stdin"}, Stdin: []byte(lines)})
	return s.orChanged(ctx, p, ref, oldHash, err)
}

// orChanged returns the error of a git that did not move a ref: ErrChanged if the ref has another value than oldHash.
func (s *Store) orChanged(ctx context.Context, p layout.Place, ref, oldHash string, err error) error {
	if gitexec.ExitCode(err) == 0 {
		return err
	}
	now, readErr := s.Value(ctx, p, ref)
	if readErr == nil && now != oldHash {
		return Changed(ref, oldHash, now)
	}
	return err
}

// Value is what a ref, or HEAD of a worktree, points to; "" when nothing.
func (s *Store) Value(ctx context.Context, p layout.Place, ref string) (string, error) {
	if ref == "HEAD" {
		head, err := s.HeadOf(ctx, p)
		return head.Hash, err
	}
	hash, err := s.Read(ctx, ref)
	if errors.Is(err, layout.ErrNotFound) {
		return "", nil
	}
	return hash, err
}

// Changed returns the ErrChanged of a ref that has another value than expected.
func Changed(ref, expected, now string) error {
	return fmt.Errorf("ref %q: expected %q, found %q: %w", ref, expected, now, ErrChanged)
}
