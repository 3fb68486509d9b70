package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chant/providers"
)

// setup gives a tree what git does not: copies of ignored files such as .env,
// links to ignored folders such as node_modules, and the project's set-up
// commands. tree is a worktree of ours; files already there are left alone.
func (r *Run) setup(ctx context.Context, tree string) error {
	for _, glob := range r.Settings.Copy {
		if !filepath.IsLocal(glob) {
			return &Failure{Kind: SetUp, Message: fmt.Sprintf("worktree.copy: %q leaves the repository", glob)}
		}
	}
	files, err := r.Repo.IgnoredFiles(ctx, r.Settings.Copy)
	if err != nil {
		return err
	}
	for _, path := range files {
		if err := r.copyIn(tree, path); err != nil {
			return err
		}
	}
	for _, path := range r.Settings.Link {
		if err := r.linkIn(ctx, tree, path); err != nil {
			return err
		}
	}
	for _, line := range r.Settings.SetupCmd {
		if err := r.setupCommand(ctx, tree, line); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) copyIn(tree, path string) error {
	from, to := filepath.Join(r.Store.Home(), filepath.FromSlash(path)), filepath.Join(tree, filepath.FromSlash(path))
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	src, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	r.emit(Setup, "step", "copied %s", path)
	return os.WriteFile(to, src, info.Mode().Perm())
}

// linkIn links an ignored path of home into the tree. A path that does not
// exist in home, or exists in the tree, is passed over.
func (r *Run) linkIn(ctx context.Context, tree, path string) error {
	if !filepath.IsLocal(path) {
		return &Failure{Kind: SetUp, Message: fmt.Sprintf("worktree.link: %q leaves the repository", path)}
	}
	from, to := filepath.Join(r.Store.Home(), path), filepath.Join(tree, path)
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.Symlink(from, to); err != nil {
		return err
	}
	r.emit(Setup, "step", "linked %s", path)
	return r.Repo.Exclude(ctx, tree, filepath.ToSlash(path)) // a rule such as "node_modules/" does not cover a link
}

func (r *Run) setupCommand(ctx context.Context, tree, line string) error {
	r.emit(Setup, "command", "%s", line)
	res, err := providers.RunCommand(ctx, providers.Command{
		Line: line, Dir: tree, Env: r.commandEnv(tree), Timeout: r.Settings.SetupFor, RunID: r.Job.RunID,
	})
	if err != nil {
		return err
	}
	if err := r.logLine(fmt.Sprintf("set-up: %s\n%s", line, res.Tail)); err != nil {
		return err
	}
	switch {
	case res.TimedOut:
		return &Failure{Kind: SetUp, Message: fmt.Sprintf("set-up command `%s` did not end within %s", line, r.Settings.SetupFor)}
	case res.ExitCode != 0:
		return &Failure{Kind: SetUp, Message: fmt.Sprintf("set-up command `%s` exited with %d: %s", line, res.ExitCode, firstLine(res.Tail))}
	}
	return nil
}

// commandEnv is the environment of set-up commands and criteria.
func (r *Run) commandEnv(tree string) []string {
	env := append(append([]string(nil), r.Environ...), r.portEnv()...)
	return append(env,
		"CHANT_SPEC_ID="+r.Job.ID,
		"CHANT_WORKTREE=1",
		"CHANT_WORKTREE_PATH="+tree,
		"CHANT_BRANCH="+r.Job.Branch,
		"CHANT_PROJECT="+r.Settings.Project,
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(tree),
	)
}
