package refstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// HeadOf reads HEAD of a worktree. A branch that is a symbolic ref means the one that it names, as in git.
func (s *Store) HeadOf(ctx context.Context, p layout.Place) (Head, error) {
	file := filepath.Join(p.GitDir, "HEAD")
	// Early versions of git made HEAD a link, and core.preferSymlinkRefs still does.
	ref, err := os.Readlink(file)
	if err != nil {
		text, err := layout.ReadName(file)
		if err != nil {
			return Head{}, err
		}
		// With reftable, the file HEAD holds only a dummy.
		if s.Site.Format.Reftable {
			return s.headByGit(ctx, p)
		}
		value, symbolic := strings.TrimSpace(string(text)), false
		if ref, symbolic = strings.CutPrefix(value, "ref:"); !symbolic {
			if !layout.IsHash(value) {
				return Head{}, fmt.Errorf("HEAD of %q is broken: it holds %q", p.Top, truncate(value))
			}
			return Head{Hash: value}, nil
		}
	}
	ref = strings.TrimSpace(filepath.ToSlash(ref))
	// A branch that is a symbolic ref stands for the one that it names, as for git.
	for range maxSymbolic {
		to := s.target(ref)
		if to == "" {
			break
		}
		ref = to
	}
	head := Head{Branch: strings.TrimPrefix(ref, layout.Heads)}
	head.Hash, err = s.Read(ctx, ref)
	if errors.Is(err, layout.ErrNotFound) {
		return head, fmt.Errorf("branch %q: %w", head.Branch, ErrUnborn)
	}
	return head, err
}

// headByGit reads HEAD where refs are not files.
func (s *Store) headByGit(ctx context.Context, p layout.Place) (Head, error) {
	var head Head
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"symbolic-ref", "-q", "HEAD"}})
	if err == nil {
		head.Branch = strings.TrimPrefix(strings.TrimSpace(string(out)), layout.Heads)
	} else if gitexec.ExitCode(err) != 1 {
		return head, err
	}
	out, err = s.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"rev-parse", "-q", "--verify", "HEAD"}})
	if gitexec.ExitCode(err) == 1 {
		return head, fmt.Errorf("branch %q: %w", head.Branch, ErrUnborn)
	}
	head.Hash = strings.TrimSpace(string(out))
	return head, err
}
