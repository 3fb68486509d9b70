package gitops

import (
	"context"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// FetchRef brings one ref of a remote, such as "refs/notes/chant", under a name of its
// own here, whatever that held before; nothing else follows. found is false when the
// remote has no such ref. Errors: a *GitError when there is no such remote, or it does not
// answer.
func (r *Repo) FetchRef(ctx context.Context, remote, from, to string) (found bool, err error) {
	for _, ref := range []string{from, to} {
		if !strings.HasPrefix(ref, "refs/") || !layout.ValidRef(ref) {
			return false, fmt.Errorf("%q is not a full ref name", ref)
		}
	}
	if found, err = r.RemoteHas(ctx, remote, from); err != nil || !found {
		return false, err
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Limit: gitexec.RemoteLimit, Remote: true, Args: []string{"fetch", "--quiet", "--progress", "--no-tags",
		"--no-write-fetch-head", "--no-recurse-submodules", "--refmap=", "--", remote, "+" + from + ":" + to}})
	return err == nil, err
}

// RemoteHas asks a remote whether it has a ref of this full name. Errors: a *GitError when
// there is no such remote, or it does not answer.
func (r *Repo) RemoteHas(ctx context.Context, remote, ref string) (bool, error) {
	_, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"ls-remote", "--exit-code", "--", remote, ref}})
	if gitexec.ExitCode(err) == 2 {
		return false, nil
	}
	return err == nil, err
}

// Remotes lists the names of the remotes.
func (r *Repo) Remotes(ctx context.Context) ([]string, error) {
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"remote"}})
	return strings.Fields(string(out)), err
}

// HasRemote reports whether the repository has a remote of this name.
func (r *Repo) HasRemote(ctx context.Context, name string) (bool, error) {
	url, err := r.Config(ctx, "remote."+name+".url")
	return url != "", err
}
