package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/providers"
	"chant/providers/secret"
)

// Event is a piece of progress, see run.Event.
type Event = run.Event

// Options are what an Engine takes from its surroundings.
type Options struct {
	Now        func() time.Time                     // nil = time.Now
	After      func(time.Duration) <-chan time.Time // nil = time.After
	Rand       io.Reader                            // nil = crypto/rand
	Progress   func(Event)                          // may be nil
	Environ    []string                             // the environment agents and commands start from
	Executable string                               // how an agent starts chant, for its MCP config; "" = without
	OnStep     func(run.Step, run.State)            // after each journal record, may be nil
	// Interrupts brings each Ctrl-C to an operation that ends in two stages; nil = none.
	Interrupts <-chan struct{}
}

// Engine carries out operations on one project.
type Engine struct {
	Options
	repo   *gitops.Repo
	store  *store.Store
	config *Config

	secrets *secret.Redactor // of Environ
	notes   *notes
}

// Open finds the project that dir lies in. Errors: NotFound when there is no
// repository or no project, Invalid for a broken config.md.
func Open(dir string, o Options) (*Engine, error) {
	e, err := open(dir, o, readConfig)
	if err != nil {
		return nil, wrap(err, "")
	}
	if err := e.aim(); err != nil {
		return nil, wrap(err, "")
	}
	return e, nil
}

// OpenToCheck is Open for CheckConfig alone: of broken settings it takes what is right in
// them, where everything else refuses to act on half of what people wrote.
func OpenToCheck(dir string, o Options) (*Engine, error) {
	e, err := open(dir, o, readWhatFits)
	if err != nil {
		return nil, wrap(err, "")
	}
	e.config.gates = e.aim()
	return e, nil
}

// open makes an engine whose store does not know the target yet.
func open(dir string, o Options, read func(home string) (*Config, error)) (*Engine, error) {
	repo, err := gitops.Open(dir)
	if err != nil {
		return nil, err
	}
	config, err := read(repo.Home())
	if err != nil {
		return nil, err
	}
	st, err := store.Open(repo, config.Defaults.BranchPrefix)
	if err != nil {
		return nil, err
	}
	return newEngine(o, repo, st, config), nil
}

// aim tells the store what the settings say, those of the target too.
func (e *Engine) aim() error {
	e.store.Rules = e.config.Approval.rules()
	target, err := e.target(context.Background())
	if err != nil {
		return nil // who needs one says so
	}
	e.store.Target = target
	return e.underTarget(context.Background(), target) // a few small files are read
}

func newEngine(o Options, repo *gitops.Repo, st *store.Store, config *Config) *Engine {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	e := &Engine{Options: o, repo: repo, store: st, config: config, secrets: secret.From(o.Environ...), notes: &notes{}}
	if tell := o.Progress; tell != nil {
		e.Progress = func(ev Event) {
			ev.Text = e.secrets.Text(ev.Text)
			tell(ev)
		}
	}
	return e
}

// reporting returns the same project with other progress.
func (e *Engine) reporting(progress func(Event)) *Engine {
	own := *e
	own.Progress = progress
	return &own
}

// Redact returns what takes the secrets of an environment out of what is told, and the
// values of the variables that are named, whatever they are called.
func Redact(environ []string, named ...string) func([]byte) []byte {
	r := secret.From(environ...)
	for _, name := range named {
		r = r.And(name, providers.Variable(environ, name))
	}
	return r.Bytes
}

// Home is the top of the main worktree.
func (e *Engine) Home() string { return e.store.Home() }

// SpecsElsewhere names the worktree that specs are read from and what it has checked out, where the
// caller is in another one that is not of a run; else "".
func SpecsElsewhere(ctx context.Context, e *Engine) string {
	if e.repo.Dir() == e.Home() || e.store.RunOf() != "" {
		return ""
	}
	head, err := e.repo.Head(ctx, e.Home())
	if err != nil || head.Branch == "" {
		return fmt.Sprintf("%q", e.Home())
	}
	return fmt.Sprintf("%q, where branch %q is checked out", e.Home(), head.Branch)
}

// findEach is find for each of several texts; it fails with the first that is not found.
func (e *Engine) findEach(ctx context.Context, texts []string) ([]string, error) {
	var ids []string
	for _, text := range texts {
		id, err := e.find(ctx, text)
		if err != nil {
			return nil, wrap(err, text)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// find resolves what a person typed to the id of an active spec. Error: State when
// only an archived one answers to it.
func (e *Engine) find(ctx context.Context, text string) (string, error) {
	id, err := e.lookUp(ctx, text)
	if _, missing := errors.AsType[*spec.NotFoundError](err); !missing {
		return id, err
	}
	if id, archivedErr := e.findArchived(text); archivedErr == nil {
		return "", fail(State, "chant show "+id, "spec %q is archived", id)
	}
	return "", err
}

// lookUp resolves what a person typed among the active specs.
func (e *Engine) lookUp(ctx context.Context, text string) (string, error) {
	if spec.ValidName(text) == nil && e.store.Exists(text) {
		return text, nil
	}
	ids, err := e.store.IDs(ctx)
	if err != nil {
		return "", err
	}
	return spec.Resolve(text, ids, e.Now())
}

// findAny resolves among active and archived specs, active ones first.
func (e *Engine) findAny(ctx context.Context, text string) (*spec.Spec, error) {
	id, err := e.lookUp(ctx, text)
	if err == nil {
		return e.store.Get(ctx, id)
	}
	var missing *spec.NotFoundError
	if !errors.As(err, &missing) {
		return nil, err
	}
	if id, err = e.findArchived(text); err != nil {
		return nil, err
	}
	return e.store.GetArchived(id)
}

// findArchived resolves what a person typed to the id of an archived spec.
func (e *Engine) findArchived(text string) (string, error) {
	ids, err := e.store.ArchivedIDs()
	if err != nil {
		return "", err
	}
	return spec.Resolve(text, ids, e.Now())
}

// target is the branch on which runs land: the configured one, else main or
// master if there is one, else what home has checked out.
func (e *Engine) target(ctx context.Context) (string, error) {
	name := e.config.Defaults.MainBranch
	if name == currentBranch {
		return e.checkedOut(ctx)
	}
	if name != "" {
		if _, err := e.repo.Resolve(ctx, "refs/heads/"+name); errors.Is(err, gitops.ErrNotFound) {
			return "", fail(NotFound, "vi "+store.ConfigPath, "branch %q, named as main_branch in %s, does not exist", name, store.ConfigPath)
		} else if err != nil {
			return "", err
		}
		return name, nil
	}
	head, err := e.repo.Head(ctx, e.repo.Home())
	if err != nil {
		return "", err
	}
	names := []string{"main", "master"}
	if slices.Contains(names, head.Branch) {
		return head.Branch, nil
	}
	for _, name := range names {
		if _, err := e.repo.Resolve(ctx, "refs/heads/"+name); err == nil {
			return name, nil
		}
	}
	if head.Branch == "" {
		return "", fail(State, "git switch main", "home is on no branch, and %s names no main_branch", store.ConfigPath)
	}
	return head.Branch, nil
}

// checkedOut is the branch that home has checked out, the target with main_branch: current.
func (e *Engine) checkedOut(ctx context.Context) (string, error) {
	head, err := e.repo.Head(ctx, e.repo.Home())
	if err == nil && head.Branch == "" {
		err = fail(State, "git switch main", "your checkout is on no branch, and main_branch in %s is %q", store.ConfigPath, currentBranch)
	}
	return head.Branch, err
}

// warn tells whoever watches of something that is no failure.
func (e *Engine) warn(id, text string) {
	if e.Progress != nil {
		e.Progress(Event{Time: e.Now(), ID: id, Kind: "warning", Text: text})
	}
}

// exists tells whether a path is there.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
