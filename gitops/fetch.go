package gitops

import (
	"context"
	"fmt"
	"strings"
)

// FetchRef brings one ref of a remote, such as "refs/notes/chant", under a name of its
// own here, whatever that held before; nothing else follows. found is false when the
// remote has no such ref. Errors: a *GitError when there is no such remote, or it does not
// answer.
func (r *Repo) FetchRef(ctx context.Context, remote, from, to string) (found bool, err error) {
	for _, ref := range []string{from, to} {
		if !strings.HasPrefix(ref, "refs/") || !validRef(ref) {
			return false, fmt.Errorf("%q is not a full ref name", ref)
		}
	}
	_, err = r.git.run(ctx, call{dir: r.home, args: []string{"ls-remote", "--exit-code", "--", remote, from}})
	if exitCode(err) == 2 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = r.git.retry(ctx, call{dir: r.home, limit: longLimit, args: []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
		"--no-recurse-submodules", "--refmap=", "--", remote, "+" + from + ":" + to}})
	return err == nil, err
}

// HasRemote reports whether the repository has a remote of this name.
func (r *Repo) HasRemote(ctx context.Context, name string) (bool, error) {
	url, err := r.Config(ctx, "remote."+name+".url")
	return url != "", err
}
