package gitconfig

import (
	"context"
	"slices"

	"chant/gitops/gitexec"
)

// All lists every value that git sees for a key with several, in its order.
func (s *Settings) All(ctx context.Context, key string) ([]string, error) {
	if err := validKey(key); err != nil {
		return nil, err
	}
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"config", "-z", "--get-all", key}})
	if gitexec.ExitCode(err) == 1 {
		return nil, nil
	}
	return gitexec.Records(out), err
}

// AddConfig adds a value to a key of the repository's own configuration, unless git
// sees it there already; added reports whether it did.
func (s *Settings) AddConfig(ctx context.Context, key, value string) (added bool, err error) {
	have, err := s.All(ctx, key)
	if err != nil || slices.Contains(have, value) {
		return false, err
	}
	_, err = s.Git.Retry(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"config", "--local", "--add", "--", key, value}})
	return err == nil, err
}

// DropConfig takes a value from the repository's own configuration. That it is not
// there is no error, nor is a section that it leaves empty taken away by hand.
func (s *Settings) DropConfig(ctx context.Context, key, value string) error {
	if err := validKey(key); err != nil {
		return err
	}
	_, err := s.Git.Retry(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"config", "--local", "--fixed-value", "--unset-all", key, value}})
	if gitexec.ExitCode(err) == 5 { // it is not there
		return nil
	}
	return err
}
