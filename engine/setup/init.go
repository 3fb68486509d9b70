package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"chant/engine"
	"chant/engine/prompt"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/engine/store/disk"
	"chant/engine/store/touched"
	"chant/engine/verify/gate"
	"chant/gitops"
	"chant/providers"
	"chant/providers/cli"
)

// InitInput describes a new project, or what to change in one.
type InitInput struct {
	Name     string   `json:"name,omitempty" jsonschema:"Project name (default: that of the folder)"`
	Provider string   `json:"provider,omitempty" jsonschema:"Default provider"`
	Model    string   `json:"model,omitempty" jsonschema:"Default model"`
	Agents   []string `json:"agents,omitempty" jsonschema:"Agents to set up: claude, codex, cursor, gemini, opencode, copilot, kiro or all"`
	Silent   bool     `json:"silent,omitempty" jsonschema:"Keep .chant out of git: nothing is committed but code"`
	Minimal  bool     `json:"minimal,omitempty" jsonschema:"Only the folder, settings and ignore rules"`

	Verify    []string `json:"verify,omitempty" jsonschema:"Commands that must pass for every spec: verify.defaults of the settings"`
	Rules     bool     `json:"rules,omitempty" jsonschema:"Add a first .chant/rules.md from the instructions and linters that are found"`
	GitIgnore bool     `json:"gitignore,omitempty" jsonschema:"List local state in the .gitignore of the top too"`
	Hooks     bool     `json:"hooks,omitempty" jsonschema:"Install the git hooks of chant"`
	CI        string   `json:"ci,omitempty" jsonschema:"Add the job that checks specs to this CI system: github or gitlab"`
	NoTry     bool     `json:"no_try,omitempty" jsonschema:"Do not run the commands of verify now"`
	Here      bool     `json:"here,omitempty" jsonschema:"Make a project of this folder, also inside of another one"`
}

// InitResult lists what was made, changed and left as it was: paths below home and, for git settings, their keys.
// Uncommitted lists the changed files that already had uncommitted changes of a person, who must commit them.
type InitResult struct {
	Home        string      `json:"home"`
	Inside      string      `json:"inside,omitempty"` // the folder of the caller below home, which has no project of its own
	Made        []string    `json:"made"`
	Changed     []string    `json:"changed,omitempty"`
	Left        []string    `json:"left,omitempty"`
	Uncommitted []string    `json:"uncommitted,omitempty"`
	Commit      string      `json:"commit,omitempty"`
	First       string      `json:"first_commit,omitempty"` // a commit without files, made if the repository had no commit
	LandsOn     string      `json:"lands_on,omitempty"`     // main_branch in the new settings
	Provider    string      `json:"provider,omitempty"`     // the default provider
	Missing     string      `json:"missing,omitempty"`      // its program, if that is not installed
	Installed   []string    `json:"installed"`              // agents whose programs are on PATH
	Linked      []string    `json:"linked,omitempty"`       // ignored folders to which worktrees get a link, by the new settings
	Setup       []string    `json:"setup,omitempty"`        // commands that install packages that are not there: nothing runs them by itself
	Tried       []Tried     `json:"tried,omitempty"`        // the commands that every spec must pass, on what is committed
	Next        next.Advice `json:"next,omitzero"`
}

// Init makes the repository around dir a chant project, or adds what a project lacks. It changes nothing outside of the
// repository and replaces no file; settings and files of agents are edited in place. It commits exactly what it has
// made, except what git ignores. A repository without a commit first gets one without files. Options.Progress receives
// warnings about what agents may do without asking from then on, about a config that they will refuse, and about what a
// CI job still needs. Errors: NotFound without a repository, Usage for an unknown agent or CI system, Invalid for an
// agent's file that cannot be edited, Conflict if Silent is set and git already tracks a file that would change, State
// if hooks cannot be installed. Each of them leaves everything as it was.
func Init(ctx context.Context, dir string, o engine.Options, in InitInput) (InitResult, error) {
	repo, err := openForInit(ctx, dir, in)
	if err != nil {
		return InitResult{}, err
	}
	// What is tracked already is not made again.
	if err := store.CheckPresence(ctx, store.OpenRepository(repo, "")); err != nil {
		return InitResult{}, engine.Wrap(err, "")
	}
	head, unborn, err := headOf(ctx, repo)
	if err != nil {
		return InitResult{}, engine.Wrap(err, "")
	}
	i := &initializer{Options: o, repo: repo, in: in, branch: head.Branch, result: InitResult{Home: repo.Home(), Made: []string{}}}
	if unborn {
		err = i.makeFirstCommit(ctx)
	}
	if err == nil {
		err = i.run(ctx)
	}
	// A commit stays, and what it has made with it.
	if err != nil && i.result.Commit == "" {
		err = errors.Join(err, i.removeMade(), i.dropFirstCommit(ctx))
	}
	// Only now, since commands run on what was committed.
	if err == nil {
		i.setNextStep()
		i.try(ctx)
		i.setInside(dir)
	}
	return engine.Done(i.result, err, "")
}

// openForInit opens the repository around a folder, seen from the folder of its project, or from that folder itself if it is to
// become one.
func openForInit(ctx context.Context, dir string, in InitInput) (*gitops.Repo, error) {
	if !in.Here {
		repo, err := engine.OpenRepository(dir)
		return repo, engine.Wrap(err, "")
	}
	repo, err := gitops.Open(dir)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	below, err := filepath.Rel(repo.Home(), disk.RealPath(dir))
	folder := filepath.ToSlash(below)
	switch {
	case err != nil || !filepath.IsLocal(below):
		return nil, engine.Fail(engine.Usage, next.Init.Help(), "%q is not in your checkout %q, where a project has to begin", dir, repo.Home())
	case folder == ".":
		return repo, nil
	case touched.InChant(folder + "/x"):
		return nil, engine.Fail(engine.Usage, next.Init.Help(), "%q is in the %s of a project, where no other one can begin", folder, store.Dir)
	case in.CI != "":
		return nil, engine.Fail(engine.Usage, next.Init.Help(), "the job of CI is a file at the top of the repository, not in %q (run init --ci there)", folder)
	}
	ignored, err := repo.Ignored(ctx, folder)
	if err == nil && ignored[folder] && !in.Silent {
		err = engine.Fail(engine.Usage, next.Init.Help(), "git ignores %q, so that no spec there could be committed (with --silent none is)", folder)
	}
	repo.Within(folder)
	return repo, engine.Wrap(err, "")
}

// setInside records that the caller is in a folder further down than the project.
func (i *initializer) setInside(dir string) {
	if below, err := filepath.Rel(i.repo.Home(), disk.RealPath(dir)); err == nil && filepath.IsLocal(below) && below != "." && !touched.InChant(filepath.ToSlash(below)+"/x") {
		i.result.Inside = filepath.ToSlash(below)
	}
}

type initializer struct {
	engine.Options
	repo     *gitops.Repo
	in       InitInput
	branch   string // checked out in home, "" if HEAD is detached
	result   InitResult
	files    []gitops.File // made or changed, to be committed
	edits    []*agentEdit  // of files that agents read
	undo     []*agentEdit  // the edits that were made
	warnings []string      // what the person should know of them
	link     []string      // folders of packages for worktrees
	setup    []string      // what installs others
	rules    string        // the text of the first rules
}

func (i *initializer) run(ctx context.Context) error {
	// First, since it may fail, and nothing must have changed then.
	if err := i.plan(ctx); err != nil {
		return err
	}
	if err := i.hideFolder(ctx); err != nil {
		return err
	}
	// After the plan, which finds out what worktrees can link.
	config, err := i.newConfig(ctx)
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
	if i.in.Rules {
		steps = append(steps, struct{ path, text string }{store.RulesPath, i.rules})
	}
	if !i.in.Minimal {
		// The others are shown by name, and extended.
		standard, err := prompt.Shipped(prompt.Standard)
		if err != nil {
			return err
		}
		steps = append(steps, struct{ path, text string }{store.PromptsDir + "/" + prompt.Standard + ".md", string(standard.Source)})
		steps = append(steps, struct{ path, text string }{store.Dir + "/.gitattributes", "specs/*.md merge=chant-spec\n"})
	}
	for _, s := range steps {
		if err := i.makeFile(s.path, []byte(s.text)); err != nil {
			return err
		}
	}
	if err := i.updateConfig(); err != nil {
		return err
	}
	if !i.in.Minimal {
		if err := i.setMergeDriver(ctx); err != nil {
			return err
		}
	}
	if err := i.writeAgents(ctx); err != nil {
		return err
	}
	if err := i.commit(ctx); err != nil {
		return err
	}
	// After the commit, which they would check otherwise.
	if err := i.installHooks(ctx); err != nil {
		return err
	}
	i.reportWarnings()
	return nil
}

// plan finds out everything that could stop Init, and changes nothing.
func (i *initializer) plan(ctx context.Context) error {
	for _, step := range []func(context.Context) error{i.checkCommands, i.packages, i.planIgnored, i.planRules, i.planCI, i.planAgents, i.checkHooks} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return i.checkProvider()
}

// ignoreRules keep local state out of git. Each folder of local state also ignores itself; this file is for tools that
// read only the .gitignore of .chant.
const ignoreRules = "/logs/\n/runs/\n/worktrees/\n/locks/\n/cache/\n/agents.md\n"

// hideFolder makes git ignore .chant in silent mode, by the exclude file of the repository.
func (i *initializer) hideFolder(ctx context.Context) error {
	if !i.in.Silent {
		return nil
	}
	// A tracked folder is known to git, so an exclude rule hides nothing.
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

// makeFile writes a file unless it exists.
func (i *initializer) makeFile(name string, text []byte) error {
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

// setMergeDriver writes the settings with which git merges spec files.
func (i *initializer) setMergeDriver(ctx context.Context) error {
	made, left, err := gate.ApplySettings(ctx, i.repo, gate.MergeSettings(i.Executable))
	for _, s := range made {
		i.result.Made = append(i.result.Made, "git config "+s.Key)
	}
	for _, s := range left {
		i.result.Left = append(i.result.Left, "git config "+s.Key)
	}
	return err
}

// makeFirstCommit creates the first commit of a branch, without files, because a run needs a commit to start from.
func (i *initializer) makeFirstCommit(ctx context.Context) (err error) {
	i.result.First, err = i.repo.FirstCommit(ctx, i.branch, firstMessage)
	return err
}

// dropFirstCommit removes the first commit.
func (i *initializer) dropFirstCommit(ctx context.Context) error {
	if i.result.First == "" {
		return nil
	}
	first := i.result.First
	i.result.First = ""
	// Also after an interruption, which is one reason to undo.
	return i.repo.DeleteCheckedOut(context.WithoutCancel(ctx), i.branch, first)
}

// headOf returns what the repository has checked out, and whether it has no commit yet.
func headOf(ctx context.Context, repo *gitops.Repo) (head gitops.Head, unborn bool, err error) {
	head, err = repo.Head(ctx, repo.Home())
	// Without a branch a first commit would belong to none.
	if errors.Is(err, gitops.ErrUnborn) && head.Branch != "" {
		return head, true, nil
	}
	return head, false, err
}

// commit commits exactly what was made or changed.
func (i *initializer) commit(ctx context.Context) error {
	var paths []string
	for _, f := range i.files {
		paths = append(paths, f.Path)
	}
	// Silent mode, and a project's own rules, keep files out.
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

// removeMade undoes the writes after the commit failed.
func (i *initializer) removeMade() error {
	var errs []error
	for _, e := range i.undo {
		errs = append(errs, e.restore(i.repo.Home()))
	}
	for _, f := range i.files {
		// An edit was undone above.
		written := slices.ContainsFunc(i.undo, func(e *agentEdit) bool { return e.name == f.Path })
		if !written && slices.Contains(i.result.Made, f.Path) {
			errs = append(errs, os.Remove(i.path(f.Path)))
		}
	}
	i.result.Made = []string{}
	return errors.Join(errs...)
}

// firstMessage is the message of the commit that a repository without one gets.
const firstMessage = "Begin\n\nChant-Event: init\n"

// setNextStep adds to the result which agents are installed, where work will land, and the next step.
func (i *initializer) setNextStep() {
	i.result.Installed = []string{}
	for _, name := range cli.BuiltIns() {
		if d, ok := cli.BuiltIn(name); ok && i.isInstalled(d.Command) {
			i.result.Installed = append(i.result.Installed, name)
		}
	}
	config, err := config.ReadConfig(i.repo.Home(), i.Environ)
	if err != nil {
		// The next command reports what is wrong with the settings.
		return
	}
	// Only of new settings: existing ones are known to the person.
	if pinned := config.Defaults.MainBranch; slices.Contains(i.result.Made, store.ConfigPath) {
		i.result.LandsOn, i.result.Linked = pinned, i.link
	}
	if len(config.Worktree.Setup) == 0 {
		i.result.Setup = i.setup
	}
	i.result.Provider, i.result.Next = config.Defaults.Provider, next.Add.On("What must be true").Because("there is nothing to work on before a spec says what must be true")
	d, known := cli.BuiltIn(config.Defaults.Provider)
	switch {
	case !known || i.isInstalled(d.Command):
	case len(i.result.Installed) > 0:
		i.result.Missing, i.result.Next = d.Command, next.Init.On().Set("provider", i.result.Installed[0]).Because("%s is not installed", d.Command)
	default:
		i.result.Missing, i.result.Next = d.Command, next.Guide.On("agents").Because("%s is not installed", d.Command)
	}
}

func (i *initializer) isInstalled(command string) bool {
	_, err := providers.Find(command, i.repo.Home(), i.Environ)
	return err == nil
}
