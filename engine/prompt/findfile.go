package prompt

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"

	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// This file finds the prompts of chant: those in .chant/prompts of the project, the shipped ones, and the extensions
// that are appended to prompts. It knows no commands of climpt, fills in no variables and writes nothing.
//
// Rules:
//
//   - A prompt of the project replaces the shipped one of the same name.
//   - A file that is a link out of the project is not read, because its text would be sent to a model.
//
// Decisions:
//
// 2026-11-23: these prompts have a package of their own below engine/prompt/library, which makes commands of them. Rejected:
// one package for both, because the rules of climpt for files and settings apply to none of chant's prompts.

// List lists the project's prompts with valid names.
func List(p *engine.Project) ([]string, error) {
	names, err := Documents(p, store.PromptsDir)
	return slices.DeleteFunc(names, func(name string) bool { return spec.ValidName(name) != nil }), err
}

// Documents lists the names of the Markdown files in a folder of home, without the
// extension; none if the folder does not exist.
func Documents(p *engine.Project, dir string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(filepath.Join(engine.Home(p), filepath.FromSlash(dir))), "*.md")
	for i, file := range names {
		names[i] = strings.TrimSuffix(file, ".md")
	}
	return names, err
}

// Find is a prompt.Finder: it returns the project's own prompt, otherwise the shipped one.
func Find(project *engine.Project, name string, shipped bool) (Prompt, error) {
	if err := spec.ValidName(name); err != nil {
		return Prompt{}, &MissingError{Name: name, Msg: "it is not a valid name"}
	}
	if shipped {
		return Shipped(name)
	}
	path := store.PromptsDir + "/" + name + ".md"
	src, err := engine.ReadOwn(project, path)
	switch {
	case err == nil:
		return Parse(name, path, src)
	// The shipped prompt in place of one that cannot be read would give the agent other instructions than the project wants.
	case !errors.Is(err, fs.ErrNotExist):
		return Prompt{}, err
	}
	p, err := Shipped(name)
	if missing, ok := errors.AsType[*MissingError](err); ok {
		missing.Msg = "there is none in " + store.PromptsDir + ", and " + missing.Msg
	}
	return p, err
}

// NoPrompt converts an error about a prompt into *engine.Error.
func NoPrompt(p *engine.Project, err error) error {
	if missing, ok := errors.AsType[*MissingError](err); ok {
		return engine.Fail(engine.NotFound, next.PromptList.On(), "no prompt %q: %s", spec.Echo(missing.Name), missing.Msg)
	}
	return engine.Wrap(err, "")
}

// Text returns a prompt including the prompts that it extends, without the values of variables. Errors: NotFound,
// Invalid.
func Text(project *engine.Project, name string) (string, error) {
	p, err := Find(project, name, false)
	if err != nil {
		return "", NoPrompt(project, err)
	}
	text, err := p.Text(func(name string, shipped bool) (Prompt, error) { return Find(project, name, shipped) })
	if err == nil && strings.TrimSpace(text) == "" {
		err = engine.Fail(engine.Invalid, next.Guide.On("prompts"), "prompt %q is empty: an agent would get no instructions", name)
	}
	return text, NoPrompt(project, err)
}
