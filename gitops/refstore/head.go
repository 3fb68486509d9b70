package refstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// HeadOf reads HEAD of a worktree.
func (s *Store) HeadOf(ctx context.Context, p layout.Place) (Head, error) {
	text, err := layout.ReadName(filepath.Join(p.GitDir, "HEAD"))
	if err != nil {
		return Head{}, err
	}
	value := strings.TrimSpace(string(text))
	if s.Site.Format.Reftable {
		return s.headByGit(ctx, p)
	}
	ref, symbolic := strings.CutPrefix(value, "ref:")
	if !symbolic {
		if !layout.IsHash(value) {
			return Head{}, fmt.Errorf("HEAD of %q is broken: it holds %q", p.Top, beginning(value))
		}
		return Head{Hash: value}, nil
	}
	ref = strings.TrimSpace(ref)
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
