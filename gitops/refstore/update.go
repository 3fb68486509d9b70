package refstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/rootdir"
)

// Tip is what a ref, or HEAD of a worktree, points to; ErrNotFound when nothing.
func (s *Store) Tip(ctx context.Context, p layout.Place, ref string) (string, error) {
	tip, err := s.Value(ctx, p, ref)
	// The ref was deleted meanwhile, which is no answer about its paths.
	if err == nil && tip == "" {
		err = fmt.Errorf("ref %q: %w", ref, layout.ErrNotFound)
	}
	return tip, err
}

// UpdateRef moves a ref, by its full name, from oldHash ("" when it must not exist) to
// newHash; why goes to the reflog. ErrChanged when it has another value.
func (s *Store) UpdateRef(ctx context.Context, ref, newHash, oldHash, why string) error {
	if !layout.ValidRef(ref) {
		return fmt.Errorf("%q is not a valid ref name", ref)
	}
	return s.Move(ctx, layout.Place{Top: s.Site.Home}, ref, newHash, oldHash, why)
}

// Delete removes a ref that has the value oldHash; a missing one is fine.
func (s *Store) Delete(ctx context.Context, ref, oldHash string) error {
	now, err := s.Read(ctx, ref)
	switch {
	// Here, a symbolic ref counts as missing but would be in the way of the next branch of this name.
	case errors.Is(err, layout.ErrNotFound) && s.isRunRef(ref):
		return s.clearPlace(ref)
	case errors.Is(err, layout.ErrNotFound):
		return nil
	case err != nil:
		return err
	case now != oldHash:
		return Changed(ref, oldHash, now)
	}
	err = s.write(ctx, ref, gitexec.Call{Dir: s.Site.Home, Args: []string{"update-ref", "--no-deref", "-d", ref, oldHash}})
	if gitexec.ExitCode(err) == 0 {
		return err
	}
	// What git says of a mismatch is not for machines; the ref itself shows it.
	switch now, readErr := s.Read(ctx, ref); {
	case errors.Is(readErr, layout.ErrNotFound):
		return nil
	case readErr == nil && now != oldHash:
		return Changed(ref, oldHash, now)
	}
	return err
}

// Move is Update run in a worktree; ref may also be its "HEAD", detached. A branch that a person has made another name
// for a branch is that branch.
func (s *Store) Move(ctx context.Context, p layout.Place, ref, newHash, oldHash, why string) error {
	ref, err := s.behindSymbolic(ctx, ref)
	if err != nil {
		return err
	}
	expected := oldHash
	// For git, only zeros mean that the ref must not exist; an empty value is no condition at all.
	if expected == "" {
		expected = strings.Repeat("0", 2*s.Site.Format.HashSize)
	}
	// --no-deref, since the ref may have been made symbolic after it was looked at.
	err = s.write(ctx, ref, gitexec.Call{Dir: p.Top, Args: []string{"update-ref", "--no-deref", "-m", why, ref, newHash, expected}})
	return s.changedError(ctx, p, ref, oldHash, err)
}

// Forward is Move of a branch that a worktree has checked out; ORIG_HEAD of the worktree is set to oldHash by the same
// transaction.
func (s *Store) Forward(ctx context.Context, p layout.Place, ref, newHash, oldHash, why string) error {
	ref, err := s.behindSymbolic(ctx, ref)
	if err != nil {
		return err
	}
	// One transaction sets both, so that a process that is killed leaves neither.
	lines := fmt.Sprintf("option no-deref\nupdate %s %s %s\noption no-deref\nupdate ORIG_HEAD %s\n", ref, newHash, oldHash, oldHash)
	err = s.write(ctx, ref, gitexec.Call{Dir: p.Top, Args: []string{"update-ref", "-m", why, "--stdin"}, Stdin: []byte(lines)})
	return s.changedError(ctx, p, ref, oldHash, err)
}

// behindSymbolic returns the ref behind one that a person has made symbolic. Git itself is always called with --no-deref: what is
// made symbolic after this is replaced, and no other ref is changed.
func (s *Store) behindSymbolic(ctx context.Context, ref string) (string, error) {
	name, branch := strings.CutPrefix(ref, layout.Heads)
	if !branch || s.Site.Format.Reftable {
		return ref, ctx.Err()
	}
	name, err := s.RealBranch(ctx, name)
	return layout.Heads + name, err
}

// write has git change one ref. In the folder of the branches of runs, what is no ref is out of the way first, and a lock
// that outlives every retry is removed: git holds one for milliseconds, and while an agent is not at work its branch is
// written by the process that holds the run alone.
func (s *Store) write(ctx context.Context, ref string, c gitexec.Call) error {
	// Agents can write in the folder of these branches, so what is not a ref there is out of the way first.
	if s.isRunRef(ref) {
		if err := s.clearPlace(ref); err != nil {
			return err
		}
	}
	_, err := s.Git.Retry(ctx, c)
	// Elsewhere a lock may be of a live process, however long it lasts.
	if !s.isRunRef(ref) || ctx.Err() != nil || !gitexec.Contended(err) {
		return err
	}
	// Git holds such a lock for milliseconds, and while its agent is not at work, a branch is written only by the process
	// that holds the run.
	broken := rootdir.In(s.runsFolder(), func(top *os.Root) error { return rootdir.RemoveAll(top, strings.TrimPrefix(ref, s.Runs)+".lock") })
	if broken != nil {
		return errors.Join(err, broken)
	}
	_, err = s.Git.Retry(ctx, c)
	return err
}

// changedError returns the error of a git that did not move a ref: ErrChanged if the ref has another value than oldHash.
func (s *Store) changedError(ctx context.Context, p layout.Place, ref, oldHash string, err error) error {
	if gitexec.ExitCode(err) == 0 {
		return err
	}
	// Git's words for a mismatch are not for machines, but the ref shows it.
	now, readErr := s.Value(ctx, p, ref)
	if readErr == nil && now != oldHash {
		return Changed(ref, oldHash, now)
	}
	return err
}

// runsFolder is the folder with the branches of runs. Agents write there.
func (s *Store) runsFolder() string { return filepath.Join(s.Site.Common, filepath.FromSlash(s.Runs)) }

// DeleteAll removes refs that have these values, in one transaction. If one of them has another value, none is removed.
func (s *Store) DeleteAll(ctx context.Context, refs []Ref) error {
	var lines strings.Builder
	for _, ref := range refs {
		if !layout.ValidRef(ref.Name) || !layout.IsHash(ref.Hash) {
			return fmt.Errorf("%q is not a valid ref name", ref.Name)
		}
		fmt.Fprintf(&lines, "option no-deref\ndelete %s %s\n", ref.Name, ref.Hash)
	}
	// One process and one transaction for all of them; each alone would take a process and a lock.
	_, err := s.Git.Retry(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"update-ref", "--stdin"}, Stdin: []byte(lines.String()), Limit: gitexec.LongLimit})
	return err
}

// clearPlace removes what is in the place of a run's branch, or of its reflog, and is none: a symbolic ref, a folder without
// refs, whatever locks it holds. No git of another run can need it.
func (s *Store) clearPlace(ref string) error {
	if s.Site.Format.Reftable {
		return nil
	}
	name := strings.TrimPrefix(ref, s.Runs)
	err := rootdir.In(s.runsFolder(), func(top *os.Root) error {
		info, err := top.Lstat(filepath.FromSlash(name))
		switch {
		case err != nil:
			// Nothing is there, or git reports it.
			return nil //nolint:nilerr
		case info.Mode().IsRegular():
			if text, err := rootdir.Read(top, name, 4096); err != nil || !strings.HasPrefix(strings.TrimSpace(string(text)), "ref:") {
				// Git compares its value.
				return nil //nolint:nilerr
			}
		case info.IsDir():
			// Another run may have a branch below a folder of this name.
			if holds, err := s.holdsRefs(top, name); err != nil || holds {
				return err
			}
		}
		return rootdir.RemoveAll(top, name)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = rootdir.In(filepath.Join(s.Site.Common, "logs", filepath.FromSlash(s.Runs)), func(top *os.Root) error {
		if info, err := top.Lstat(filepath.FromSlash(name)); err != nil || info.Mode().IsRegular() {
			// It is as git makes it.
			return nil //nolint:nilerr
		}
		return rootdir.RemoveAll(top, name)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// holdsRefs reports whether there is a ref in a folder of the branches of runs.
func (s *Store) holdsRefs(top *os.Root, name string) (bool, error) {
	sub, err := top.OpenRoot(filepath.FromSlash(name))
	if err != nil {
		return false, err
	}
	defer sub.Close()
	found := false
	err = rootdir.Walk(sub, func(below string, kind fs.FileMode) error {
		if len(below) > 1024 {
			// Git opens no path of more than 4096 bytes.
			return fs.SkipDir
		}
		if !kind.IsRegular() || !layout.ValidRef(s.Runs+name+"/"+below) {
			return nil
		}
		text, err := rootdir.Read(sub, below, 4096)
		found = found || err == nil && layout.IsHash(strings.TrimSpace(string(text)))
		return nil
	})
	return found, err
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
