package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"chant/engine"
	"chant/engine/gate"
	"chant/engine/next"
	"chant/engine/prompt"
	"chant/engine/store"
	"chant/gitops"
)

// InitInput describes a new project, or what to change in one.
type InitInput struct {
	Name     string   `json:"name,omitempty" jsonschema:"Project name (default: that of the folder)"`
	Provider string   `json:"provider,omitempty" jsonschema:"Default provider"`
	Model    string   `json:"model,omitempty" jsonschema:"Default model"`
	Agents   []string `json:"agents,omitempty" jsonschema:"Agents to set up: claude, codex, cursor, gemini, opencode, copilot, kiro or all"`
	Silent   bool     `json:"silent,omitempty" jsonschema:"Keep .chant out of git: nothing is committed but code"`
	Minimal  bool     `json:"minimal,omitempty" jsonschema:"Only the folder, settings and ignore rules"`
}

// InitResult says what was made, changed and left as it was, as paths below home
// and, for git settings, their keys. Uncommitted are those changed that held a
// person's own uncommitted changes already and are left for that person to commit.
type InitResult struct {
	Home        string    `json:"home"`
	Made        []string  `json:"made"`
	Changed     []string  `json:"changed,omitempty"`
	Left        []string  `json:"left,omitempty"`
	Uncommitted []string  `json:"uncommitted,omitempty"`
	Commit      string    `json:"commit,omitempty"`
	First       string    `json:"first_commit,omitempty"` // made where the repository had none; it has no files
	LandsOn     string    `json:"lands_on,omitempty"`     // the branch that new settings name as main_branch
	Provider    string    `json:"provider,omitempty"`     // that works a spec that names none
	Missing     string    `json:"missing,omitempty"`      // its program, where it is not installed
	Installed   []string  `json:"installed"`              // agents whose programs are on PATH
	Next        next.Step `json:"next,omitzero"`
}

// Init makes the repository around dir a chant project, or adds what one lacks.
// Nothing outside the repository is touched and no file is replaced; settings and
// the files of agents are edited in place. What it makes it commits, that alone, unless git ignores
// it. What agents may do from then on without asking, and a config that they will
// refuse, are warnings to Options.Progress. Errors: NotFound without a repository, Usage for an
// unknown agent, Invalid for an agent's file that cannot be added to, Conflict when
// silent is asked for and what would change is tracked already. A repository without a commit gets one
// without files first.
func Init(ctx context.Context, dir string, o engine.Options, in InitInput) (InitResult, error) {
	repo, err := gitops.Open(dir)
	if err != nil {
		return InitResult{}, engine.Wrap(err, "")
	}
	head, unborn, err := headOf(ctx, repo)
	if err != nil {
		return InitResult{}, engine.Wrap(err, "")
	}
	i := &initializer{Options: o, repo: repo, in: in, branch: head.Branch, result: InitResult{Home: repo.Home(), Made: []string{}}}
	if unborn {
		err = i.begin(ctx)
	}
	if err == nil {
		err = i.run(ctx)
	}
	if err != nil && i.result.Commit == "" {
		err = errors.Join(err, i.unmake(), i.unbegin(ctx))
	}
	if err == nil {
		i.lookAhead()
	}
	return engine.Done(i.result, err, "")
}

type initializer struct {
	engine.Options
	repo   *gitops.Repo
	in     InitInput
	branch string // checked out in home, "" when detached
	result InitResult
	files  []gitops.File // made or changed, to be committed
	edits  []*agentEdit  // of the files that agents read
	undo   []*agentEdit  // those carried out
	warns  []string      // what the person should know of them
}

func (i *initializer) run(ctx context.Context) error {
	if err := i.planAgents(ctx); err != nil {
		return err
	}
	if err := i.checkProvider(); err != nil {
		return err
	}
	if err := i.hide(ctx); err != nil {
		return err
	}
	config, err := i.config()
	if err != nil {
		return err
	}
	steps := []struct {
		path string
		text string
	}{
		{store.ConfigPath, config},
		{store.Dir + "/.gitignore", ignoreRules},
		{store.SpecsDir + "/.gitkeep", ""},
	}
	if !i.in.Minimal {
		standard, err := prompt.Shipped(prompt.Standard) // the others are shown by name, and extended
		if err != nil {
			return err
		}
		steps = append(steps, struct{ path, text string }{store.PromptsDir + "/" + prompt.Standard + ".md", string(standard.Source)})
		steps = append(steps, struct{ path, text string }{store.Dir + "/.gitattributes", "specs/*.md merge=chant-spec\n"})
	}
	for _, s := range steps {
		if err := i.make(s.path, []byte(s.text)); err != nil {
			return err
		}
	}
	if err := i.update(); err != nil {
		return err
	}
	if !i.in.Minimal {
		if err := i.mergeDriver(ctx); err != nil {
			return err
		}
	}
	if err := i.writeAgents(ctx); err != nil {
		return err
	}
	if err := i.commit(ctx); err != nil {
		return err
	}
	i.warn()
	return nil
}

// ignoreRules keep local state out of git for tools that read only this file;
// each folder of local state hides itself as well.
const ignoreRules = "/logs/\n/runs/\n/worktrees/\n/locks/\n/cache/\n"

// hide makes git ignore .chant for silent mode, in the repository's own exclude
// file.
func (i *initializer) hide(ctx context.Context) error {
	if !i.in.Silent {
		return nil
	}
	if _, err := i.repo.ReadDir(ctx, "HEAD", store.Dir); err == nil {
		return engine.Fail(engine.Conflict, next.Shell("git rm -r --cached .chant"), "%s is tracked by git already; silent mode would hide nothing", store.Dir)
	}
	ignored, err := i.repo.Ignored(ctx, store.ConfigPath)
	if err != nil || ignored[store.ConfigPath] {
		return err
	}
	i.result.Changed = append(i.result.Changed, "info/exclude")
	return i.repo.Exclude(ctx, i.repo.Home(), store.Dir)
}

// make writes a file that is not there yet.
func (i *initializer) make(name string, text []byte) error {
	full := filepath.Join(i.repo.Home(), filepath.FromSlash(name))
	if engine.Exists(full) {
		i.result.Left = append(i.result.Left, name)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(full, text, 0o644); err != nil {
		return err
	}
	i.result.Made = append(i.result.Made, name)
	i.files = append(i.files, gitops.File{Path: name, Content: text})
	return nil
}

// mergeDriver tells git how to merge spec files.
func (i *initializer) mergeDriver(ctx context.Context) error {
	made, left, err := gate.ApplySettings(ctx, i.repo, gate.MergeSettings(i.Executable))
	for _, s := range made {
		i.result.Made = append(i.result.Made, "git config "+s.Key)
	}
	for _, s := range left {
		i.result.Left = append(i.result.Left, "git config "+s.Key)
	}
	return err
}

// commit records what was made, and nothing else.
func (i *initializer) commit(ctx context.Context) error {
	var paths []string
	for _, f := range i.files {
		paths = append(paths, f.Path)
	}
	ignored, err := i.repo.Ignored(ctx, paths...)
	if err != nil {
		return err
	}
	tracked := slices.DeleteFunc(i.files, func(f gitops.File) bool { return ignored[f.Path] })
	if len(tracked) == 0 {
		return nil
	}
	hash, changed, err := i.repo.CommitFiles(ctx, gitops.CommitOptions{
		Dir: i.repo.Home(), Files: tracked, Message: "chant: init\n\nChant-Event: init\n",
	})
	if changed {
		i.result.Commit = hash
	}
	return err
}

// unmake takes back the files that were written for a commit that was not made.
func (i *initializer) unmake() error {
	var errs []error
	for _, e := range i.undo {
		errs = append(errs, e.restore(i.repo.Home()))
	}
	for _, f := range i.files {
		written := slices.ContainsFunc(i.undo, func(e *agentEdit) bool { return e.name == f.Path })
		if !written && slices.Contains(i.result.Made, f.Path) {
			errs = append(errs, os.Remove(i.path(f.Path)))
		}
	}
	i.result.Made = []string{}
	return errors.Join(errs...)
}
