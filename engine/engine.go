package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"chant/engine/evidence/heldout"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/engine/store/disk"
	"chant/engine/store/index"
	"chant/engine/store/local"

	"chant/gitops"
	"chant/providers"
	"chant/providers/secret"
)

// Event is a piece of progress.
type Event = journal.Event

// Options are what a Project gets from its caller.
type Options struct {
	Now        func() time.Time                     // nil = time.Now
	After      func(time.Duration) <-chan time.Time // nil = time.After
	Rand       io.Reader                            // nil = crypto/rand
	Progress   func(Event)                          // may be nil
	Environ    []string                             // the environment of agents and commands
	Executable string                               // how an agent starts chant, for its MCP config; "" = it does not
	Version    string                               // of chant, for evidence
	OnStep     func(journal.Step, journal.State)    // after each journal record, may be nil
	Recall     *store.Cache                         // remembers specs between the calls of a server, may be nil
	Fetches    string                               // the git remote that this process fetches while runs work, "" = none
	// Interrupts passes each Ctrl-C to an operation that ends in two stages; nil = none.
	Interrupts <-chan struct{}
}

// Project is one opened project, on which operations work.
type Project struct {
	Options
	Repo   *gitops.Repo
	Store  *store.Store
	Config *config.Config

	// Folder is that of the caller if there is no project around it, else "".
	Folder string

	Secrets *secret.Redactor // of Environ
	Notes   *notes
}

// Open finds the project that contains dir. Errors: NotFound if there is no
// repository or no project, Invalid for a broken config.md.
func Open(dir string, o Options) (*Project, error) {
	repo, err := openRepo(dir, o.Environ)
	if err != nil {
		return nil, Wrap(err, "")
	}
	return OpenIn(repo, o)
}

// OpenAny is Open for what shows several projects: in a repository without a project around dir, it opens the first one of those
// in its folders.
func OpenAny(ctx context.Context, dir string, o Options) (*Project, error) {
	p, err := Open(dir, o)
	if err == nil || !errors.Is(err, store.ErrNotInitialized) {
		return p, err
	}
	repo, repoErr := openRepo(dir, o.Environ)
	if repoErr != nil {
		return p, err
	}
	folders, listErr := store.Folders(ctx, repo)
	if listErr != nil || len(folders) == 0 {
		return p, err
	}
	repo.Within(folders[0])
	return OpenIn(repo, o)
}

// OpenIn opens the project of a repository that is seen from its folder; errors as of Open.
func OpenIn(repo *gitops.Repo, o Options) (*Project, error) {
	settings, err := config.ReadConfig(repo.Home(), o.Environ)
	if err != nil {
		return nil, Wrap(err, "")
	}
	st, err := store.Open(repo, settings.Defaults.BranchPrefix)
	if err != nil {
		return nil, Wrap(err, "")
	}
	// This is a command that the agent of the run has asked for.
	if id := providers.Variable(o.Environ, sandbox.SpecKey); id != "" {
		store.SetRun(st, id)
	}
	p, err := New(o, repo, st, settings)
	return p, Wrap(err, "")
}

// openRepo finds the repository that contains dir, and its project there. A command that the agent of a run has asked for is in the run's
// worktree, whose files the agent may have changed: there the variables that the run sets count instead.
func openRepo(dir string, environ []string) (repo *gitops.Repo, err error) {
	// Files of the worktree, such as .git, could lead the command into another repository.
	home, tree := providers.Variable(environ, sandbox.HomeKey), providers.Variable(environ, sandbox.TreeKey)
	switch {
	case home != "" && disk.Within(tree, dir):
		dir = home
		repo, err = gitops.OpenAt(home, tree)
	case home != "" && disk.Within(home, dir):
		dir = home
		repo, err = gitops.OpenAt(home, home)
	default:
		return OpenRepository(dir)
	}
	if err != nil {
		return nil, err
	}
	// The project is that of the run, wherever its agent is.
	if below, relErr := filepath.Rel(repo.Home(), disk.RealPath(dir)); relErr == nil && filepath.IsLocal(below) {
		repo.Within(filepath.ToSlash(below))
	}
	return repo, nil
}

// OpenRepository opens the repository that contains dir, seen from the folder of the project to which dir belongs. Errors as of
// gitops.Open.
func OpenRepository(dir string) (*gitops.Repo, error) {
	repo, err := gitops.Open(dir)
	if err == nil {
		repo.Within(store.NearestFolder(repo, dir))
	}
	return repo, err
}

// Sandbox returns what builds the policies of the project's processes.
func (p *Project) Sandbox() *sandbox.Sandbox {
	return &sandbox.Sandbox{
		Repo: p.Repo, Store: p.Store, Settings: p.Config.Sandbox, Trees: p.Config.Worktree.Dir, Environ: p.Environ, Chant: p.Executable,
	}
}

// ApartCommand is the command of chant by which git starts the programs that a person has configured.
const ApartCommand = "apart"

// New is the only constructor of a Project. Operations that must work where Open refuses, with broken settings or
// without specs, read the settings themselves and call New. The error says why the gates of the target are not known;
// operations that do not land work can use the project all the same.
func New(o Options, repo *gitops.Repo, st *store.Store, settings *config.Config) (*Project, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	// Another project of the repository may have the same settings and a spec of the same id.
	if folder := repo.Folder(); folder != "" {
		settings.Defaults.BranchPrefix = st.Branch("")
		if settings.Worktree.Dir != "" {
			settings.Worktree.Dir = filepath.Join(settings.Worktree.Dir, local.ProjectKey(folder))
		}
	}
	p := &Project{Options: o, Repo: repo, Store: st, Config: settings, Secrets: secret.From(o.Environ...), Notes: &notes{}}
	p.Progress = p.withoutSecrets(o.Progress)
	// git runs programs that settings and files name, so it is confined before anything is read through it.
	repo.Confine(st.Branch(""), p.Sandbox().Git, p.Sandbox().Claims())
	if p.Executable != "" && p.Sandbox().State().InForce {
		repo.RunApart(p.Executable, ApartCommand, "--")
	}
	repo.OnFailedHook(func(hook, said string) {
		Warn(p, "", fmt.Sprintf("git has done its work, and the hook %s failed after it: %s", hook, said))
	})
	// The secret is read when a journal is first sealed, since most commands seal none.
	st.Secret = func() ([]byte, error) { return journalSecret(o.Environ) }
	st.Seal = func(have, section []byte) ([]byte, error) { return heldout.Seal(o.Environ, have, section) }
	// The project is returned together with the error, because operations that repair settings work with it.
	if st.Index = store.IndexUse(Variable(p, index.Variable)); !st.Index.Valid() {
		return p, Fail(Usage, next.Shell("unset %s", index.Variable), "invalid %s %q (use %s or %s)", index.Variable, st.Index, store.IndexOff, store.IndexAlways)
	}
	return p, p.applySettings()
}

// WithProgress returns the same project with another receiver of progress. With interrupts, the operation ends in two stages
// after a Ctrl-C; nil = it does not.
func (p *Project) WithProgress(progress func(Event), interrupts <-chan struct{}) *Project {
	// The copy shares everything else, so that notes are still reported once.
	own := *p
	own.Progress, own.Interrupts = p.withoutSecrets(progress), interrupts
	return &own
}

// WithSerialProgress returns the project with a receiver of progress that is called for one event at a time, so that several
// goroutines may use it.
func (p *Project) WithSerialProgress() *Project {
	if p.Progress == nil {
		return p
	}
	var turn sync.Mutex
	own := *p
	own.Progress = func(ev Event) {
		turn.Lock()
		defer turn.Unlock()
		p.Progress(ev)
	}
	return &own
}

// withoutSecrets returns progress that receives no secrets of the environment.
func (p *Project) withoutSecrets(progress func(Event)) func(Event) {
	if progress == nil {
		return nil
	}
	return func(ev Event) {
		ev.Text = p.Secrets.Text(ev.Text)
		progress(ev)
	}
}

// applySettings sets the rules and the target of the store, and applies the gates of the target.
func (p *Project) applySettings() error {
	p.Store.Rules = p.Config.Approval.SpecRules()
	target, err := Target(context.Background(), p)
	if err != nil {
		return nil //nolint:nilerr // operations that need a target report it
	}
	p.Store.Target = target
	// The gates are a few small files, so that reading them need not be canceled.
	return applyTargetGates(context.Background(), p, target)
}

// Redact returns a function that removes from texts the secrets of an environment, and the values of the named
// variables.
func Redact(environ []string, named ...string) func([]byte) []byte {
	r := secret.From(environ...)
	for _, name := range named {
		r = r.And(name, providers.Variable(environ, name))
	}
	return r.Bytes
}

// Home is the folder of the project in the main worktree, mostly the top of that.
func Home(p *Project) string { return p.Store.Home() }

// SpecsElsewhere names the worktree from which specs are read, and its branch, if the caller is in another worktree
// that does not belong to a run; otherwise "".
func SpecsElsewhere(ctx context.Context, p *Project) string {
	// In the worktree of a run, its spec is read from there.
	if p.Repo.Dir() == Home(p) || p.Store.RunOf() != "" {
		return ""
	}
	head, err := p.Repo.Head(ctx, Home(p))
	if err != nil || head.Branch == "" {
		return fmt.Sprintf("%q", Home(p))
	}
	return fmt.Sprintf("%q, where branch %q is checked out", Home(p), head.Branch)
}

// Warn reports a warning as progress.
func Warn(p *Project, id, text string) {
	if p.Progress != nil {
		p.Progress(Event{Time: p.Now(), ID: id, Kind: "warning", Text: text})
	}
}

// Exists reports whether a path exists.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// notes remembers the messages of an operation, so that each is reported once for all its specs.
type notes struct {
	mu   sync.Mutex
	said []string
}

// IsNew reports whether a text is new, and remembers it.
func (n *notes) IsNew(text string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if slices.Contains(n.said, text) {
		return false
	}
	n.said = append(n.said, text)
	return true
}

// Variable returns a variable of the environment of chant, "" if it is unset.
func Variable(p *Project, name string) string {
	return providers.Variable(p.Environ, name)
}

// OnPath reports whether a shell in the environment of chant finds a program by its
// name.
func OnPath(p *Project, program string) bool {
	_, err := providers.Find(program, "", p.Environ)
	return err == nil
}
