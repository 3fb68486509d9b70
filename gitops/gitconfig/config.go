package gitconfig

import (
	"context"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/refstore"
)

// Settings are git's settings as one repository sees them.
// The exported fields are set once, when it is made.
type Settings struct {
	Git  *gitexec.Runner
	Site *layout.Site
	Refs *refstore.Store

	listed listed
}

// Get is the value that git sees for key, "" when it is unset.
func (s *Settings) Get(ctx context.Context, key string) (string, error) {
	if err := validKey(key); err != nil {
		return "", err
	}
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"config", "-z", "--get", key}})
	if gitexec.ExitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSuffix(string(out), "\x00"), err
}

// SetConfig sets key in the repository's own configuration.
func (s *Settings) SetConfig(ctx context.Context, key, value string) error {
	if err := validKey(key); err != nil {
		return err
	}
	_, err := s.Git.Retry(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"config", "--local", "--", key, value}})
	return err
}

func validKey(key string) error {
	if strings.HasPrefix(key, "-") || !strings.Contains(key, ".") {
		return fmt.Errorf("%q is not a configuration key", key)
	}
	return nil
}

// Bool reads a boolean setting as git does; unset is false.
func (s *Settings) Bool(ctx context.Context, dir, key string) (bool, error) {
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: dir, Args: []string{"config", "--type=bool", "--get", key}})
	if gitexec.ExitCode(err) == 1 {
		return false, nil
	}
	return strings.TrimSpace(string(out)) == "true", err
}
