package library

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/command"
	"chant/engine/next"
)

// Library is what an agent's commands are. It is not changed once it is open.
type Library struct {
	Agent    string
	Registry string   // the file of the registry as messages name it; "" = the commands were read from the prompts
	Entries  []Entry  // by name; records with the same name are in the order of the registry; to be loaded
	Warnings []string // with their places: what was left out

	index func() (*Index, error)
}

// Entry is a record of a command.
type Entry struct {
	command.Command
	Source Source
	File   string // the prompt of the default edition as messages name it; "" for records of a registry

	Unregistered bool // its registry does not have it, so it is not found; false for commands of a library

	prompt   string // the name of a prompt of chant
	template string // the name of a template of specs
}

// Source is where a command is described.
type Source string

// The sources of commands.
const (
	FromRegistry Source = "registry"
	FromPrompt   Source = "prompt"   // the front matter of a prompt of the agent
	FromChant    Source = "chant"    // a prompt of the project, or a shipped one
	FromTemplate Source = "template" // a template of specs
	FromShipped  Source = "shipped"  // a prompt that is part of the program
)

// Open reads the commands of an agent, "" = climpt. In a server it returns what it has read before if no file has
// changed since. Errors: *engine.Error with *RegistryError.
func Open(ctx context.Context, p *engine.Project, agent string) (*Library, error) {
	if agent == "" {
		agent = DefaultAgent
	}
	if err := command.CheckWord("agent", agent); err != nil {
		return nil, engine.Fail(engine.Usage, next.Guide.On("commands"), "%s", err)
	}
	key := memoryKey{top(p), agent}
	if kept, ok := p.Recall.Kept(key).(*remembered); ok && kept.shelf.unchanged() {
		return kept.opened, nil
	}
	l, s, err := read(ctx, p, agent)
	if err != nil {
		return nil, refuseRegistry(err)
	}
	if !s.racy {
		p.Recall.Keep(key, &remembered{l, s})
	}
	return l, nil
}

// Forget makes the next Open read the commands of an agent anew.
func Forget(p *engine.Project, agent string) {
	p.Recall.Keep(memoryKey{top(p), agent}, nil)
}

type memoryKey struct{ home, agent string }

type remembered struct {
	opened *Library
	shelf  *shelf
}

// Agents lists the agents that have commands, in order. climpt always has the prompts of chant and the shipped commands.
func Agents(p *engine.Project) ([]string, error) {
	agents, err := newShelf(p).agents()
	return agents, refuseRegistry(err)
}

// read reads the commands of an agent. Error: *RegistryError.
func read(ctx context.Context, p *engine.Project, agent string) (*Library, *shelf, error) {
	s := newShelf(p)
	l := &Library{Agent: agent}
	at, err := s.findRegistry(agent)
	if err != nil {
		return nil, nil, err
	}
	if at.file != "" {
		err = l.readRegistry(at)
	} else {
		err = l.readPrompts(ctx, s)
	}
	if err != nil {
		return nil, nil, err
	}
	if agent == DefaultAgent {
		own, err := chantEntries(p, s)
		if err != nil {
			return nil, nil, err
		}
		shipped, err := shippedEntries()
		if err != nil {
			return nil, nil, err
		}
		l.add(append(own, shipped...)...)
	}
	l.sort()
	l.index = sync.OnceValues(func() (*Index, error) { return NewIndex(l.Entries) })
	return l, s, nil
}

// sort puts the entries into the order of their names, and those with the same name into that of the registry. Entries
// are large, so each is moved only once.
func (l *Library) sort() {
	if slices.IsSortedFunc(l.Entries, func(a, b Entry) int { return command.Compare(a.Name, b.Name) }) {
		return
	}
	order := make([]int32, len(l.Entries))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(command.Compare(l.Entries[a].Name, l.Entries[b].Name), cmp.Compare(a, b))
	})
	sorted := make([]Entry, len(order))
	for i, from := range order {
		sorted[i] = l.Entries[from]
	}
	l.Entries = sorted
}

func (l *Library) readRegistry(at found) error {
	l.Registry = at.pl.name(at.file)
	r, err := command.ParseRegistry(l.Registry, at.src)
	if fault, ok := errors.AsType[*command.Fault](err); ok {
		return &RegistryError{l.Registry, fault.Error()}
	}
	if err != nil {
		return err
	}
	const more = 64 // entries that chant has
	l.Entries = make([]Entry, len(r.Commands), len(r.Commands)+more)
	for i := range r.Commands {
		l.Entries[i].Command, l.Entries[i].Source = r.Commands[i], FromRegistry
	}
	for _, f := range r.Faults {
		l.Warnings = append(l.Warnings, f.Error())
	}
	return nil
}

// add adds entries whose names the library does not have.
func (l *Library) add(entries ...Entry) {
	added := map[command.Name]int{}
	for i := range entries {
		if _, twice := added[entries[i].Name]; !twice {
			added[entries[i].Name] = i
		}
	}
	for i := range l.Entries {
		delete(added, l.Entries[i].Name)
	}
	for i := range entries {
		if first, ok := added[entries[i].Name]; ok && first == i {
			l.Entries = append(l.Entries, entries[i])
		}
	}
}

// Find returns the records of a command; none if there is no such command. Error: *RegistryError for a record that
// cannot be read.
func (l *Library) Find(name command.Name) ([]Entry, error) {
	records := slices.Clone(l.records(name))
	for i := range records {
		var err error
		if records[i].Command, err = records[i].Load(l.Registry); err != nil {
			return nil, refuseRegistry(&RegistryError{l.Registry, err.Error()})
		}
	}
	return records, nil
}

// records are the records of a command as the library has them.
func (l *Library) records(name command.Name) []Entry {
	from, ok := slices.BinarySearchFunc(l.Entries, name, func(e Entry, n command.Name) int { return command.Compare(e.Name, n) })
	if !ok {
		return nil
	}
	to := from
	for to < len(l.Entries) && l.Entries[to].Name == name {
		to++
	}
	return l.Entries[from:to]
}

// refuseRegistry makes an error of the engine of a *RegistryError.
func refuseRegistry(err error) error {
	bad, ok := errors.AsType[*RegistryError](err)
	if !ok {
		return engine.Wrap(err, "")
	}
	code, step := engine.Invalid, next.EditFile(bad.Path)
	if bad.Details == missingFile {
		code, step = engine.NotFound, next.Guide.On("commands")
	}
	what := bad.Error()
	if strings.HasPrefix(bad.Details, bad.Path+":") { // with its line
		what = bad.Details
	}
	e := engine.Fail(code, step, "failed to load the registry %s", what)
	e.Err = bad
	return e
}
