package gitops

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
)

// Config is the value that git sees for key, "" when it is unset.
func (r *Repo) Config(ctx context.Context, key string) (string, error) {
	if err := validKey(key); err != nil {
		return "", err
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"config", "-z", "--get", key}})
	if gitexec.ExitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSuffix(string(out), "\x00"), err
}

// SetConfig sets key in the repository's own configuration.
func (r *Repo) SetConfig(ctx context.Context, key, value string) error {
	if err := validKey(key); err != nil {
		return err
	}
	_, err := r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"config", "--local", "--", key, value}})
	return err
}

func validKey(key string) error {
	if strings.HasPrefix(key, "-") || !strings.Contains(key, ".") {
		return fmt.Errorf("%q is not a configuration key", key)
	}
	return nil
}

// truth reads a boolean setting as git does; unset is false.
func (r *Repo) truth(ctx context.Context, dir, key string) (bool, error) {
	out, err := r.git.Run(ctx, gitexec.Call{Dir: dir, Args: []string{"config", "--type=bool", "--get", key}})
	if gitexec.ExitCode(err) == 1 {
		return false, nil
	}
	return strings.TrimSpace(string(out)) == "true", err
}

// Ignored tells for each path, slash-separated from home, whether git ignores it there.
// What is tracked is not ignored.
func (r *Repo) Ignored(ctx context.Context, paths ...string) (map[string]bool, error) {
	return r.IgnoredIn(ctx, r.site.Home, paths...)
}

// IgnoredIn is Ignored for the worktree at dir. Errors: ErrNotRepository.
func (r *Repo) IgnoredIn(ctx context.Context, dir string, paths ...string) (map[string]bool, error) {
	ignored := make(map[string]bool, len(paths))
	if len(paths) == 0 {
		return ignored, nil
	}
	p, err := r.site.Place(dir)
	if err != nil {
		return nil, err
	}
	var stdin bytes.Buffer
	for _, path := range paths {
		ignored[path] = false
		stdin.WriteString("./" + path + "\x00") // a colon in front would mean something to git
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"check-ignore", "-z", "--stdin"},
		Stdin: stdin.Bytes()})
	if err != nil && gitexec.ExitCode(err) != 1 {
		return nil, err
	}
	for _, path := range gitexec.Records(out) {
		ignored[strings.TrimPrefix(path, "./")] = true
	}
	return ignored, nil
}
