package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/providers"
)

// IncludeFile names, at the top of home and with the patterns of gitignore(5), the
// ignored files that every new worktree gets a copy of.
const IncludeFile = ".worktreeinclude"

// SetupPrefix begins every line of a run's log that is about setting up its tree.
const SetupPrefix = "set-up: "

// setup gives a tree what git does not: copies of ignored files such as .env,
// links to ignored folders such as node_modules, and the project's set-up
// commands. tree is a worktree of ours; files already there are left alone.
func (r *Run) setup(ctx context.Context, tree string) error {
	if err := r.copyIgnored(ctx, tree); err != nil {
		return err
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

// copyIgnored copies what .worktreeinclude and worktree.copy name.
func (r *Run) copyIgnored(ctx context.Context, tree string) error {
	for _, glob := range r.Settings.Copy {
		if !filepath.IsLocal(glob) {
			return &journal.Failure{Kind: spec.ReasonSetup, Message: fmt.Sprintf("worktree.copy: %q leaves the repository", glob)}
		}
	}
	included, err := r.Repo.IgnoredBy(ctx, IncludeFile)
	if err != nil {
		return err
	}
	if err := r.carry(ctx, tree, load{IncludeFile, included}); err != nil {
		return err
	}
	named, err := r.Repo.IgnoredFiles(ctx, r.Settings.Copy)
	if err != nil {
		return err
	}
	return r.carry(ctx, tree, load{"worktree.copy", named})
}

// linkIn links an ignored path of home into the tree. A path that does not
// exist in home, or exists in the tree, is passed over.
func (r *Run) linkIn(ctx context.Context, tree, path string) error {
	if !filepath.IsLocal(path) {
		return &journal.Failure{Kind: spec.ReasonSetup, Message: fmt.Sprintf("worktree.link: %q leaves the repository", path)}
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
	if err := r.setupLine("linked " + path); err != nil {
		return err
	}
	return r.Repo.Exclude(ctx, tree, filepath.ToSlash(path)) // a rule such as "node_modules/" does not cover a link
}

// setupCommand runs one command, whose output goes to the log as it comes.
func (r *Run) setupCommand(ctx context.Context, tree, line string) error {
	r.emit(journal.Setup, "command", "%s", line)
	if err := r.logLine(SetupPrefix + "$ " + line); err != nil {
		return err
	}
	out := &lineWriter{line: func(text string) error { return r.logLine(SetupPrefix + text) }}
	res, err := providers.RunCommand(ctx, providers.Command{
		Line: line, Dir: tree, Env: r.commandEnv(tree), Timeout: r.Settings.SetupFor, RunID: r.Job.RunID, Output: out, Secrets: r.Secrets,
	})
	if err = errors.Join(err, out.end()); err != nil {
		return err
	}
	if err := r.logLine(fmt.Sprintf("%sexit %d after %.1f s", SetupPrefix, res.ExitCode, res.Duration.Seconds())); err != nil {
		return err
	}
	switch {
	case res.TimedOut:
		return &journal.Failure{Kind: spec.ReasonSetup, Message: fmt.Sprintf("set-up command `%s` did not end within %s%s", line, r.Settings.SetupFor, quoteTail(res.Tail))}
	case res.ExitCode != 0:
		return &journal.Failure{Kind: spec.ReasonSetup, Message: fmt.Sprintf("set-up command `%s` exited with %d%s", line, res.ExitCode, quoteTail(res.Tail))}
	}
	return nil
}

// setupLine tells of a step of the set-up in the log and to whoever watches.
func (r *Run) setupLine(text string) error {
	r.emit(journal.Setup, "step", "%s", text)
	return r.logLine(SetupPrefix + text)
}

// quoteTail is the last lines of a command's output, each on a line of its own.
func quoteTail(text string) string {
	const most = 10
	text = strings.TrimSpace(text)
	if text == "" {
		return ", and printed nothing"
	}
	lines := strings.Split(text, "\n")
	return ":\n  " + strings.Join(lines[max(0, len(lines)-most):], "\n  ")
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
