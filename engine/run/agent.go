package run

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/providers"
	"chant/providers/secret"
)

// agent runs the agent CLI to its end. Its failure is no error yet: what it left
// is collected first.
func (r *Run) agent(ctx context.Context) (any, error) {
	s, err := r.trusted(ctx)
	if err != nil {
		return nil, err
	}
	launch, err := r.launch(s)
	if err != nil {
		return nil, err
	}
	before, err := r.lookAround(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.openSession(); err != nil {
		return nil, err
	}
	var logErr error
	watch := providers.Watch{
		Started: func(p providers.Process) {
			logErr = errors.Join(r.record(journal.Agent, journal.Note, p), r.beginSession(p), r.logLine("agent started"))
		},
		Event: func(ev providers.Event) {
			if err := r.hear(ev); err != nil {
				logErr = err
			}
		},
	}
	out, err := providers.Run(ctx, launch, r.limits(), watch)
	if err != nil {
		return nil, err
	}
	r.Agent, r.stderr = r.report(out), out.StderrTail
	if err := r.closeSession(r.Agent); err != nil {
		return nil, err
	}
	if err := r.logLine("agent ended: " + r.Agent.Summary()); err != nil {
		return nil, err
	}
	if err := r.unmet(launch); err != nil {
		return nil, err
	}
	calm := context.WithoutCancel(ctx)
	pipes, err := r.openPipes(calm, r.Tree)
	if err != nil {
		return nil, err
	}
	if err := r.haveBranch(calm, before.Tip); err != nil {
		return nil, err
	}
	if r.Agent.Behind, err = r.behind(calm, before); err != nil {
		return nil, err
	}
	r.Agent.Behind = slices.Concat(r.Agent.Behind, pipes)
	if err := ctx.Err(); err != nil {
		return nil, errors.Join(err, r.keepBehind())
	}
	if err := r.heardOutput(ctx, s); err != nil {
		return nil, err
	}
	return r.Agent, logErr
}

func (r *Run) launch(s *spec.Spec) (providers.Launch, error) {
	state, err := r.Store.CacheDir(r.Job.ID)
	if err != nil {
		return providers.Launch{}, err
	}
	in := r.invocation(state, r.Tree)
	in.SpecFile, in.Branch, in.Attempt = r.specFile(), r.Job.Branch, r.Job.Attempt
	in.MCP, in.Extra, in.Session, in.Before = r.MCP, r.portEnv(), r.Job.Session, r.before()
	if in.Sessions, err = r.Store.SessionsDir(); err != nil {
		return providers.Launch{}, err
	}
	in.Script, _ = s.Script()
	return r.prepare(in)
}

// invocation is what every agent of the run is told, at work or asked, in a tree that
// may not stand yet.
func (r *Run) invocation(state, tree string) providers.Invocation {
	return providers.Invocation{
		SpecID: r.Job.ID, Title: r.Job.Title, Worktree: tree, PromptFile: filepath.Join(state, "prompt.md"),
		Project: r.Settings.Project, Model: r.Job.Model, Attempt: 1, Timeout: r.Settings.Timeout, RunID: r.Job.RunID,
		Home: r.Store.Home(), StateDir: state, Environ: r.Environ, Pass: r.Settings.Pass, Common: r.Repo.CommonDir(),
		Chant: r.Chant, GitDir: r.Repo.AdminDir(tree),
	}
}

// prepare has the provider make a launch, of whose output nothing secret is kept. What is
// secret in its settings is secret to the run from then on.
func (r *Run) prepare(in providers.Invocation) (providers.Launch, error) {
	launch, err := r.Provider.Prepare(in)
	launch.Secrets = secret.From(slices.Concat(r.Environ, launch.Env)...).And(launch.KeyEnv, providers.Variable(launch.Env, launch.KeyEnv))
	r.Secrets = launch.Secrets
	return launch, err
}

// specFile is the copy of the spec that the agent reads and ticks.
func (r *Run) specFile() string {
	tree := r.Tree
	if r.Job.Silent {
		tree = r.Store.Home()
	}
	return filepath.Join(tree, filepath.FromSlash(store.SpecPath(r.Job.ID)))
}

// Preflight finds out whether the agent could be started at all, before a
// branch or a tree is made.
func (r *Run) Preflight(ctx context.Context, s *spec.Spec) error {
	_, err := r.Plan(ctx, s)
	return err
}

// Planned is what a run would do with its agent.
type Planned struct {
	Launch providers.Launch
	Prompt string
	Files  map[string]string // what is written for the agent, by path, without secrets
}

// Plan prepares launch and prompt as the run would, and leaves nothing behind.
func (r *Run) Plan(ctx context.Context, s *spec.Spec) (p Planned, err error) {
	defer func() { err = errors.Join(err, r.Store.ClearCache(r.Job.ID)) }()
	planned, err := r.planned()
	if err != nil {
		return p, err
	}
	if p.Launch, err = planned.launch(s); err != nil {
		return p, err
	}
	if p.Prompt, err = planned.told(ctx, s); err != nil {
		return p, err
	}
	files, err := r.Store.ReadCache(r.Job.ID)
	p.Files = map[string]string{}
	for path, content := range files {
		p.Files[path] = secret.InSettings(p.Launch.Secrets.Text(string(content)))
	}
	return p, err
}

// planned is the run as it would be once it had its tree.
func (r *Run) planned() (*Run, error) {
	dir, err := r.treePath(r.Job.ID)
	if err != nil {
		return nil, err
	}
	planned := r.copied()
	planned.Tree = dir
	planned.namePorts()
	return planned, nil
}
