package gitconfig

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	// Git exits with 1 for a key that is unset, which is not an error here.
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
	// Git would take a leading dash for an option.
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

// RemoteAddresses returns where the remotes are fetched from, and where they are pushed to if that is named apart. Each is as the
// settings name it.
func (s *Settings) RemoteAddresses(ctx context.Context) (fetched, pushed []string, err error) {
	list, err := s.list(ctx)
	for _, entry := range list {
		key, value, _ := strings.Cut(entry, "\n")
		if !strings.HasPrefix(key, "remote.") || value == "" {
			continue
		}
		switch {
		case strings.HasSuffix(key, ".url"):
			fetched = append(fetched, value)
		case strings.HasSuffix(key, ".pushurl"):
			pushed = append(pushed, value)
		}
	}
	slices.Sort(fetched)
	slices.Sort(pushed)
	return slices.Compact(fetched), slices.Compact(pushed), err
}

// ErrNoIdentity says that git does not know who commits.
var ErrNoIdentity = errors.New("git has no name and mail to commit with, set user.name and user.email")

// Identity is "Name <mail>" as git would commit it. ErrNoIdentity when that would be
// made up from the names of the account and the machine.
func (s *Settings) Identity(ctx context.Context) (string, error) {
	// Without this setting, git makes up a name from the account and the machine.
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"}})
	if failed, ok := errors.AsType[*gitexec.Error](err); ok && failed.SettingsFile() == "" {
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
	// Git exits with 5 when the value is not there.
	if gitexec.ExitCode(err) == 5 {
		return nil
	}
	return err
}
