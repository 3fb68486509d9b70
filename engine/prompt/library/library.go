package library

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/spec/next"
)

// Library is the commands of an agent. It is not changed once it is open.
type Library struct {
	Agent    string
	Registry string   // the file of the registry as messages name it; "" = the commands were read from the prompts
	Entries  []Entry  // by name; records with the same name are in the order of the registry; to be loaded
	Warnings []string // with their places: what was left out
}

// Entry is a record of a command.
type Entry struct {
	climpt.Command
	Source Source
	File   string // the prompt of the default edition as messages name it; "" for records of a registry

	Unregistered bool // its registry does not have it, so it is not found; false for commands of a library

	prompt   string // the name of a prompt of chant
	template string // the name of a template of specs
}

// Source is the kind of place that describes a command.
type Source string

// The sources of commands.
const (
	FromRegistry Source = "registry"
	FromPrompt   Source = "prompt"   // the front matter of a prompt of the agent
	FromChant    Source = "chant"    // a prompt of the project, or a shipped one
	FromTemplate Source = "template" // a template of specs
	FromShipped  Source = "shipped"  // a prompt that is part of the program
)

// Open reads the commands of an agent, "" = climpt. Errors: *engine.Error with *RegistryError.
func Open(ctx context.Context, p *engine.Project, agent string) (*Library, error) {
	if agent == "" {
		agent = DefaultAgent
	}
	if err := climpt.CheckWord("agent", agent); err != nil {
		return nil, engine.Fail(engine.Usage, next.Guide.On("commands"), "%s", err)
	}
	l, err := read(ctx, p, agent)
	return l, refuseRegistry(err)
}

// Agents lists the agents that have commands, in order. climpt always has the prompts of chant and the shipped commands.
func Agents(p *engine.Project) ([]string, error) {
	agents, err := newShelf(p).agents()
	return agents, refuseRegistry(err)
}

// read reads the commands of an agent. Error: *RegistryError.
func read(ctx context.Context, p *engine.Project, agent string) (*Library, error) {
	s := newShelf(p)
	l := &Library{Agent: agent}
	at, err := s.findRegistry(agent)
	if err != nil {
		return nil, err
	}
	if at.file != "" {
		err = l.readRegistry(at)
	} else {
		err = l.readPrompts(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	// Last, so that the project's own commands hide those of the program.
	if agent == DefaultAgent {
		own, err := chantEntries(p)
		if err != nil {
			return nil, err
		}
		shipped, err := shippedEntries()
		if err != nil {
			return nil, err
		}
		l.add(append(own, shipped...)...)
	}
	// Stable, since records of one name stay in the order of the registry, and find by name needs the order.
	slices.SortStableFunc(l.Entries, func(a, b Entry) int { return climpt.Compare(a.Name, b.Name) })
	return l, nil
}

func (l *Library) readRegistry(at found) error {
	l.Registry = at.pl.name(at.file)
	r, err := climpt.ParseRegistry(l.Registry, at.src)
	if fault, ok := errors.AsType[*climpt.Fault](err); ok {
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
	known := map[climpt.Name]bool{}
	for _, e := range l.Entries {
		known[e.Name] = true
	}
	for _, e := range entries {
		if !known[e.Name] {
			known[e.Name] = true
			l.Entries = append(l.Entries, e)
		}
	}
}

// Find returns the records of a command; none if there is no such command. Error: *RegistryError for a record that
// cannot be read.
func (l *Library) Find(name climpt.Name) ([]Entry, error) {
	// A copy, because the library is not changed once it is open.
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
func (l *Library) records(name climpt.Name) []Entry {
	from, ok := slices.BinarySearchFunc(l.Entries, name, func(e Entry, n climpt.Name) int { return climpt.Compare(e.Name, n) })
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
	// The details already begin with the path and a line.
	if strings.HasPrefix(bad.Details, bad.Path+":") {
		what = bad.Details
	}
	e := engine.Fail(code, step, "failed to load the registry %s", what)
	e.Err = bad
	return e
}

// NotFoundError is about a command that an agent does not have.
type NotFoundError struct {
	Agent string
	climpt.Name
}

// Error names the command as climpt does, with its agent.
func (e *NotFoundError) Error() string {
	return "no command " + e.Agent + "-" + e.Name.String()
}

// RegistryError is about the commands of an agent that cannot be read.
type RegistryError struct {
	Path    string // of the registry, relative to the top of the project where it is below it
	Details string
}

// Error is the path with what is wrong.
func (e *RegistryError) Error() string { return e.Path + ": " + e.Details }

// ExecutionError is about a command that cannot be rendered.
type ExecutionError struct {
	Command string // as a command line of climpt, such as "climpt-git group-commit unstaged-changes"
	Stderr  string // what is wrong
}

// Error is what is wrong, with the command.
func (e *ExecutionError) Error() string { return e.Command + ": " + e.Stderr }

// Refuse makes an *ExecutionError of what is wrong with the options of a command.
func (l *Library) Refuse(name climpt.Name, err error) error {
	return &ExecutionError{l.commandLine(name), err.Error()}
}
