package engine

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"chant/engine/config"
	"chant/engine/journal"
	"chant/engine/store"
	"chant/gitops"
	"chant/providers"
	"chant/providers/secret"
)

// Event is a piece of progress, see run.Event.
type Event = journal.Event

// Options are what an Engine takes from its surroundings.
type Options struct {
	Now        func() time.Time                     // nil = time.Now
	After      func(time.Duration) <-chan time.Time // nil = time.After
	Rand       io.Reader                            // nil = crypto/rand
	Progress   func(Event)                          // may be nil
	Environ    []string                             // the environment agents and commands start from
	Executable string                               // how an agent starts chant, for its MCP config; "" = without
	OnStep     func(journal.Step, journal.State)    // after each journal record, may be nil
	// Interrupts brings each Ctrl-C to an operation that ends in two stages; nil = none.
	Interrupts <-chan struct{}
}

// Project carries out operations on one project.
type Project struct {
	Options
	Repo   *gitops.Repo
	Store  *store.Store
	Config *config.Config

	Secrets *secret.Redactor // of Environ
	Notes   *notes
}

// Open finds the project that dir lies in. Errors: NotFound when there is no
// repository or no project, Invalid for a broken config.md.
func Open(dir string, o Options) (*Project, error) {
	repo, err := gitops.Open(dir)
	if err != nil {
		return nil, Wrap(err, "")
	}
	settings, err := config.ReadConfig(repo.Home())
	if err != nil {
		return nil, Wrap(err, "")
	}
	st, err := store.Open(repo, settings.Defaults.BranchPrefix)
	if err != nil {
		return nil, Wrap(err, "")
	}
	p, err := New(o, repo, st, settings)
	return p, Wrap(err, "")
}

// New is the only constructor of a Project. Operations that have to work where Open refuses, on broken settings or without
// specs, read what there is themselves and call it. The error says why the gates of the target are not known; the project
// can be used by what does not land work.
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
	p := &Project{Options: o, Repo: repo, Store: st, Config: settings, Secrets: secret.From(o.Environ...), Notes: &notes{}}
	p.Progress = p.redacted(o.Progress)
	return p, p.aim()
}

// Watched returns the same project for an operation whose progress goes elsewhere, and which ends in two stages when
// interrupts brings a Ctrl-C; nil = it does not.
func (p *Project) Watched(progress func(Event), interrupts <-chan struct{}) *Project {
	own := *p
	own.Progress, own.Interrupts = p.redacted(progress), interrupts
	return &own
}

// redacted is progress without the secrets of the environment.
func (p *Project) redacted(progress func(Event)) func(Event) {
	if progress == nil {
		return nil
	}
	return func(ev Event) {
		ev.Text = p.Secrets.Text(ev.Text)
		progress(ev)
	}
}

// aim gives the store what the settings say, those of the target too.
func (p *Project) aim() error {
	p.Store.Rules = p.Config.Approval.SpecRules()
	target, err := Target(context.Background(), p)
	if err != nil {
		return nil //nolint:nilerr // what needs a target reports it
	}
	p.Store.Target = target
	return underTarget(context.Background(), p, target) // a few small files are read
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
func Home(p *Project) string { return p.Store.Home() }

// SpecsElsewhere names the worktree that specs are read from and what it has checked out, where the
// caller is in another one that is not of a run; else "".
func SpecsElsewhere(ctx context.Context, p *Project) string {
	if p.Repo.Dir() == Home(p) || p.Store.RunOf() != "" {
		return ""
	}
	head, err := p.Repo.Head(ctx, Home(p))
	if err != nil || head.Branch == "" {
		return fmt.Sprintf("%q", Home(p))
	}
	return fmt.Sprintf("%q, where branch %q is checked out", Home(p), head.Branch)
}

// Warn tells whoever watches of something that is no failure.
func Warn(p *Project, id, text string) {
	if p.Progress != nil {
		p.Progress(Event{Time: p.Now(), ID: id, Kind: "warning", Text: text})
	}
}

// Exists reports whether a path is there.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// notes remembers what an operation has said, so that it says it once however many specs it works.
type notes struct {
	mu   sync.Mutex
	said []string
}

func (n *notes) First(text string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if slices.Contains(n.said, text) {
		return false
	}
	n.said = append(n.said, text)
	return true
}
