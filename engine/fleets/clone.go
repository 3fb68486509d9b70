package fleets

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/fleet/remote"
	"chant/engine/next"
	"chant/gitops"
)

// carried are the settings of git that a clone takes over from the repository for which it is made: who commits, how
// commits are signed, and how remotes are reached.
func carried() []string {
	return []string{
		"user.name", "user.email", "user.signingkey", "commit.gpgsign", "gpg.format", "gpg.program", "gpg.ssh.program",
		"core.sshcommand", "credential.helper", "http.proxy", "http.sslcainfo",
	}
}

// ownClone opens the clone that chant keeps of the project's remote for a purpose, in git's folder, and makes it if there
// is none.
func ownClone(ctx context.Context, p *engine.Project, purpose, remoteName string) (*engine.Project, *remote.Remote, error) {
	url, err := remoteURL(ctx, p, remoteName)
	if err != nil {
		return nil, nil, err
	}
	target, err := engine.Target(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.Join(p.Repo.CommonDir(), "chant", "fleet", purpose)
	repo, err := openClone(ctx, url, dir, remoteName, target)
	if err != nil {
		return nil, nil, err
	}
	for _, key := range carried() {
		value, err := p.Repo.Config(ctx, key)
		if err == nil && value != "" {
			err = repo.SetConfig(ctx, key, value)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return openIn(ctx, dir, p.Options, remoteName)
}

// openClone opens a clone of a remote, or makes it, beside its place first, so that one that was not finished is made again.
func openClone(ctx context.Context, url, dir, remoteName, branch string) (*gitops.Repo, error) {
	repo, err := gitops.Open(dir)
	if err == nil && repo.Home() == dir {
		has, err := repo.Config(ctx, "remote."+remoteName+".url")
		if err != nil {
			return nil, err
		}
		if has == url {
			return repo, nil
		}
		if has != "" {
			return nil, engine.Fail(engine.Conflict, next.Shell("git -C %q remote set-url %s %s", dir, remoteName, url), "%q is a clone of %q, not of %q", dir, has, url)
		}
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), ".chant-clone-") // no folder of the user has this name
	if err != nil {
		return nil, err
	}
	made, err := gitops.Clone(ctx, url, temp, remoteName, branch)
	if err == nil {
		err = remote.MarkOwn(ctx, made)
	} else if ctx.Err() == nil {
		err = cloneError(url, err)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	if err := os.Rename(temp, dir); err != nil {
		err = engine.Fail(engine.Conflict, next.FleetJoin.Help(), "the clone cannot be made at %q: %s", dir, err)
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return gitops.Open(dir)
}

// cloneError says what to do about a remote that cannot be cloned.
func cloneError(url string, err error) error {
	return engine.Fail(engine.NotFound, next.Shell("git ls-remote %q", url), "the remote %q cannot be cloned: %s", url, err)
}

// openIn opens the project of a clone, and its remote.
func openIn(ctx context.Context, dir string, o engine.Options, remoteName string) (*engine.Project, *remote.Remote, error) {
	o.Fetches = remoteName
	p, err := engine.Open(dir, o)
	if err != nil {
		return nil, nil, err
	}
	target, err := engine.Target(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	return p, &remote.Remote{Repo: p.Repo, Name: remoteName, Target: target, Prefix: p.Store.Branch("")}, nil
}

// checkPush checks that the remote accepts claims from this clone, by one that is removed at once.
func checkPush(ctx context.Context, r *remote.Remote) error {
	err := r.Try(ctx)
	if refused, ok := errors.AsType[*gitops.PushRefusedError](err); ok {
		return engine.Fail(engine.Conflict, next.Shell("git push --dry-run %s HEAD:refs/chant/claims/try", r.Name), "workers claim specs by pushing to refs/chant/claims and to branches %q; %s", r.Prefix+"*", refused)
	}
	return err
}
