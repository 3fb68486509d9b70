package node

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/gitops"
)

// copiedSettings are the settings of git that a clone takes over from the repository for which it is made: who commits, how
// commits are signed, and how remotes are reached.
func copiedSettings() []string {
	return []string{
		"user.name", "user.email", "user.signingkey", "commit.gpgsign", "gpg.format", "gpg.program", "gpg.ssh.program",
		"core.sshcommand", "credential.helper", "http.proxy", "http.sslcainfo",
	}
}

// ownClone opens the clone that chant keeps of the project's remote for a purpose, in git's folder, and makes it if there
// is none.
func ownClone(ctx context.Context, p *engine.Project, purpose, remoteName string) (*engine.Project, *fleet.Remote, error) {
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
	for _, key := range copiedSettings() {
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
	// A folder inside another repository opens that one.
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
	// Before the clone, which can take minutes.
	if err := checkVacant(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	// No folder of the user has this name, so one that a kill has left can be recognised.
	temp, err := os.MkdirTemp(filepath.Dir(dir), ".chant-clone-")
	if err != nil {
		return nil, err
	}
	made, err := gitops.Clone(ctx, url, temp, remoteName, branch)
	if err == nil {
		err = checkOutProject(ctx, made)
	}
	if err == nil {
		// Before it gets its place: only a clone with the mark may be changed without asking.
		err = fleet.MarkOwnClone(ctx, made)
	} else if ctx.Err() == nil {
		err = cloneError(url, err)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	if err := moveClone(temp, dir); err != nil {
		err = engine.Fail(engine.Conflict, next.FleetJoin.Help(), "the clone cannot be made at %q: %s", dir, err)
		return nil, err
	}
	return gitops.Open(dir)
}

// checkOutProject checks out a branch with the project in a new clone of a remote whose HEAD names a branch that does not
// exist, as that of a bare repository that was made with another default branch.
func checkOutProject(ctx context.Context, made *gitops.Repo) error {
	err := store.CheckPresence(ctx, store.OpenRepository(made, config.DefaultConfig("").Defaults.BranchPrefix))
	if unborn, ok := errors.AsType[*store.UnbornError](err); ok {
		return made.CheckOutRemote(ctx, unborn.Remote[0])
	}
	// The command that opens it reports what is wrong.
	return nil
}

// checkVacant checks, before anything is cloned, that a clone can be made at dir: nothing is there, or an empty folder.
func checkVacant(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err == nil:
		return engine.Fail(engine.Conflict, next.FleetJoin.Help(), "the clone cannot be made at %q: the folder is not empty, and has no clone of the remote (choose another one)", dir)
	}
	return engine.Fail(engine.Conflict, next.FleetJoin.Help(), "the clone cannot be made at %q: %s", dir, err)
}

// moveClone moves a clone that was made at temp to dir. A folder that is there stays, because it may be the current one of
// this process and of the user's shell: it receives what the clone has, git's folder last.
func moveClone(temp, dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.Rename(temp, dir); err == nil {
			return nil
		}
	}
	if err == nil && len(entries) > 0 {
		err = errors.New("something was written there meanwhile")
	}
	if err == nil {
		entries, err = os.ReadDir(temp)
	}
	// Git's folder last, so that a half-moved clone is not taken for a whole one.
	names := []string{".git"}
	for _, e := range entries {
		if e.Name() != ".git" {
			names = slices.Insert(names, 0, e.Name())
		}
	}
	for _, name := range names {
		if err == nil {
			err = os.Rename(filepath.Join(temp, name), filepath.Join(dir, name))
		}
	}
	return errors.Join(err, os.RemoveAll(temp))
}

// cloneError says what to do about a remote that cannot be cloned.
func cloneError(url string, err error) error {
	return engine.Fail(engine.NotFound, next.Shell("git ls-remote %q", url), "the remote %q cannot be cloned: %s", url, err)
}

// openIn opens the project of a clone, and its remote.
func openIn(ctx context.Context, dir string, o engine.Options, remoteName string) (*engine.Project, *fleet.Remote, error) {
	o.Fetches = remoteName
	p, err := engine.Open(dir, o)
	if err != nil {
		return nil, nil, err
	}
	r, err := remoteOf(ctx, p, remoteName)
	return p, r, err
}

// checkPush checks that the remote accepts claims from this clone, by one that is removed at once. A remote that cannot be
// reached is tried again for a while: a machine that has just started may not have its network yet.
func checkPush(ctx context.Context, p *engine.Project, r *fleet.Remote) error {
	err := r.Try(ctx)
	for tries := 0; tries < reachTries && isUnreachable(err); tries++ {
		if tries == 0 {
			engine.Warn(p, "", "trying again: "+err.Error())
		}
		select {
		case <-ctx.Done():
		case <-p.After(fleet.HeartRate):
		}
		err = r.Try(ctx)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	return engine.Fail(engine.Conflict, next.Shell("git -C %q push %s HEAD:refs/chant/try/%s", r.Repo.Home(), r.Name, hostNode()), "workers claim specs by pushing to refs/chant/* and to branches %q, and a push to remote %q fails: %s", r.Prefix+"*", r.Name, err)
}

// reachTries is how often a remote that cannot be reached is tried again when a node starts.
const reachTries = 5

// isUnreachable reports whether git could not connect to the machine of a remote.
func isUnreachable(err error) bool {
	failed, ok := errors.AsType[*gitops.GitError](err)
	return ok && failed.Unreachable() || errors.Is(err, gitops.ErrSilent)
}
