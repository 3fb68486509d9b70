package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
)

// RegistryFile is the registry of an agent in the project, to be changed.
type RegistryFile struct {
	climpt.Registry
	Agent  string
	Path   string
	Source string // as it was read

	exists bool
}

// Version and description of a registry that is new.
const (
	newVersion     = "1.0.0"
	newDescription = "Commands of this project"
)

// OpenRegistry reads the registry of an agent in the project, "" = climpt. One that does not exist is empty. Error:
// *RegistryError, also for entries that cannot be used.
func OpenRegistry(p *engine.Project, agent string) (*RegistryFile, error) {
	if agent == "" {
		agent = DefaultAgent
	}
	if err := climpt.CheckWord("agent", agent); err != nil {
		return nil, engine.Fail(engine.Usage, next.Guide.On("commands"), "%s", err)
	}
	s := newShelf(p)
	// The registry of the user is not the project's to change.
	s.places = s.places[:1]
	at, err := s.findRegistry(agent)
	// A path that the settings name is where the new file goes.
	if bad, ok := errors.AsType[*RegistryError](err); ok && bad.Details == missingFile {
		at, err = found{file: bad.Path}, nil
	}
	if err != nil {
		return nil, refuseRegistry(err)
	}
	f := &RegistryFile{Agent: agent, Path: at.file, Source: at.src, exists: at.pl.dir != ""}
	if !f.exists {
		if f.Path == "" {
			f.Path = registryFile(agent)
		}
		f.Version, f.Description = newVersion, newDescription
		return f, nil
	}
	r, err := climpt.ParseRegistry(at.file, at.src)
	if err != nil {
		return nil, refuseRegistry(&RegistryError{at.file, err.Error()})
	}
	// Writing the registry would lose them.
	if len(r.Faults) > 0 {
		return nil, refuseRegistry(&RegistryError{at.file, r.Faults[0].Error()})
	}
	// Records are read when they are used, so their faults would only show after the file was written.
	for _, c := range r.Commands {
		if _, err = c.Load(at.file); err != nil {
			return nil, refuseRegistry(&RegistryError{at.file, err.Error()})
		}
	}
	f.Registry = *r
	return f, nil
}

// Exists reports whether there is such a file.
func (f *RegistryFile) Exists() bool { return f.exists }

// Put adds a command, or what is new of it: a record that exists gets the further variants and keeps the rest. Error: *climpt.Fault.
func (f *RegistryFile) Put(c climpt.Command) error {
	for i, was := range f.Commands {
		if was.Name != c.Name {
			continue
		}
		full, err := was.Load(f.Path)
		if err != nil {
			return err
		}
		// The rest of a record may have been written by hand.
		if more := full.WithVariants(c); !more.Same(full) {
			f.Commands[i], err = more.MergeInto(was)
		}
		return err
	}
	f.Commands = append(f.Commands, c)
	return nil
}

// Write writes the registry if it is still as it was read. Error: Conflict.
func (f *RegistryFile) Write(p *engine.Project, src []byte) error {
	full := filepath.Join(projectDir(p), filepath.FromSlash(f.Path))
	// The settings may name a path with `..`.
	if !disk.Within(projectDir(p), full) {
		return engine.Fail(engine.Invalid, next.EditFile(f.Path), "%s is outside of the project", f.Path)
	}
	now, err := os.ReadFile(full)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// An editor may have written it since it was read, and those changes would be lost.
	if string(now) != f.Source {
		return engine.Fail(engine.Conflict, next.CommandList.On(), "%s was written meanwhile", f.Path)
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	return disk.Write(full, src, disk.Options{})
}

// Prompts describes the commands of an agent by the front matter of its prompts in the project, in the order of their
// names. Error: NotFound for an agent without prompts.
func Prompts(ctx context.Context, p *engine.Project, agent string) ([]climpt.Command, []string, error) {
	if agent == "" {
		agent = DefaultAgent
	}
	s := newShelf(p)
	entries, warnings, err := readTree(ctx, s, s.places[0], agent)
	if err != nil {
		return nil, warnings, err
	}
	if len(entries) == 0 {
		return nil, warnings, engine.Fail(engine.NotFound, next.Guide.On("commands"), "agent %q has no prompts in %s", agent, promptsDir(agent))
	}
	var out []climpt.Command
	for _, e := range entries {
		out = append(out, e.Command)
	}
	return out, warnings, nil
}

// Describe describes a command of the project by its prompts. Error: *NotFoundError.
func Describe(p *engine.Project, agent string, name climpt.Name) (climpt.Command, error) {
	var c climpt.Command
	missing := error(&NotFoundError{agent, name})
	r := resolver{shelf: newShelf(p), agent: agent, name: name}
	s := r.shelf
	dir, err := r.dir()
	if err != nil {
		return c, err
	}
	entries, err := s.list(s.places[0], dir, true)
	if err != nil {
		return c, err
	}
	files := promptFiles(entries)
	if len(files) == 0 {
		return c, missing
	}
	e, _, err := describe(s, s.places[0], dir, name, files)
	return e.Command, err
}

// WritePrompt writes the prompt of a new command to a file of the project and returns its path. Errors: Conflict for
// one that exists; Invalid for a name that user.yml does not allow.
func WritePrompt(p *engine.Project, agent string, name climpt.Name, base string, src []byte) (string, error) {
	r := resolver{shelf: newShelf(p), agent: agent, name: name}
	r.places = r.places[:1]
	// A command that user.yml refuses would never run.
	err := r.checkRules(&Text{})
	dir := ""
	if err == nil {
		dir, err = r.dir()
	}
	if err != nil {
		return "", engine.Fail(engine.Invalid, next.Guide.On("commands"), "%s", err)
	}
	file := dir + "/" + base
	full := filepath.Join(projectDir(p), filepath.FromSlash(file))
	if !disk.Within(projectDir(p), full) {
		return "", engine.Fail(engine.Invalid, next.EditFile(file), "%s is outside of the project", file)
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return "", err
	}
	// O_EXCL, so that a prompt which appeared meanwhile is not overwritten.
	out, err := os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", engine.Fail(engine.Conflict, next.EditFile(file), "%s exists", file)
	}
	if err != nil {
		return "", err
	}
	_, err = out.Write(src)
	if err = errors.Join(err, out.Close()); err != nil {
		// It was made here, and is not complete.
		err = errors.Join(err, os.Remove(full))
	}
	return file, err
}

// RemovePrompt removes a prompt that WritePrompt has written.
func RemovePrompt(p *engine.Project, path string) error {
	return os.Remove(filepath.Join(projectDir(p), filepath.FromSlash(path)))
}
