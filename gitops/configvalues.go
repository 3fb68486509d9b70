package gitops

import (
	"context"
	"slices"

	"chant/gitops/gitexec"
)

// ConfigAll lists every value that git sees for a key with several, in its order.
func (r *Repo) ConfigAll(ctx context.Context, key string) ([]string, error) {
	if err := validKey(key); err != nil {
		return nil, err
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"config", "-z", "--get-all", key}})
	if gitexec.ExitCode(err) == 1 {
		return nil, nil
	}
	return gitexec.Records(out), err
}

// AddConfig adds a value to a key of the repository's own configuration, unless git
// sees it there already; added tells which.
func (r *Repo) AddConfig(ctx context.Context, key, value string) (added bool, err error) {
	have, err := r.ConfigAll(ctx, key)
	if err != nil || slices.Contains(have, value) {
		return false, err
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"config", "--local", "--add", "--", key, value}})
	return err == nil, err
}

// DropConfig takes a value from the repository's own configuration. That it is not
// there is no error, nor is a section that it leaves empty taken away by hand.
func (r *Repo) DropConfig(ctx context.Context, key, value string) error {
	if err := validKey(key); err != nil {
		return err
	}
	_, err := r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"config", "--local", "--fixed-value", "--unset-all", key, value}})
	if gitexec.ExitCode(err) == 5 { // it is not there
		return nil
	}
	return err
}
