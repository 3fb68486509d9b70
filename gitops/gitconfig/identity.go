package gitconfig

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
)

// ErrNoIdentity says that git does not know who commits.
var ErrNoIdentity = errors.New("git has no name and mail to commit with, set user.name and user.email")

// Identity is "Name <mail>" as git would commit it. ErrNoIdentity when that would be
// made up from the names of the account and the machine.
func (s *Settings) Identity(ctx context.Context) (string, error) {
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"}})
	if gitexec.ExitCode(err) != 0 {
		return "", fmt.Errorf("%w: %w", ErrNoIdentity, err)
	}
	if err != nil {
		return "", err
	}
	end := strings.LastIndexByte(string(out), '>')
	if end < 0 {
		return "", ErrNoIdentity
	}
	return string(out[:end+1]), nil
}
