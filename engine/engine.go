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
	p, err := open(dir, o, config.ReadConfig)
	if err != nil {
		return nil, Wrap(err, "")
	}
	if err := Aim(p); err != nil {
		return nil, Wrap(err, "")
	}
	return p, nil
}

// OpenToCheck is Open for CheckConfig alone: of broken settings it takes what is right in
// them, where everything else refuses to act on half of what people wrote.
func OpenToCheck(dir string, o Options) (*Project, error) {
	p, err := open(dir, o, config.ReadWhatFits)
	if err != nil {
		return nil, Wrap(err, "")
	}
	p.Config.Gates = Aim(p)
	return p, nil
}

// open makes an engine whose store does not know the target yet.
func open(dir string, o Options, read func(home string) (*config.Config, error)) (*Project, error) {
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
	return NewEngine(o, repo, st, config), nil
}

// Aim tells the store what the settings say, those of the target too.
func Aim(p *Project) error {
	p.Store.Rules = p.Config.Approval.SpecRules()
	target, err := Target(context.Background(), p)
	if err != nil {
		return nil // who needs one says so
	}
	p.Store.Target = target
	return underTarget(context.Background(), p, target) // a few small files are read
}

func NewEngine(o Options, repo *gitops.Repo, st *store.Store, config *config.Config) *Project {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	p := &Project{Options: o, Repo: repo, Store: st, Config: config, Secrets: secret.From(o.Environ...), Notes: &notes{}}
	if tell := o.Progress; tell != nil {
		p.Progress = func(ev Event) {
			ev.Text = p.Secrets.Text(ev.Text)
			tell(ev)
		}
	}
	return p
}

// Reporting returns the same project with other progress.
func Reporting(p *Project, progress func(Event)) *Project {
	own := *p
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

// Exists tells whether a path is there.
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
