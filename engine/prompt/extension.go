package prompt

import (
	"errors"
	"io/fs"

	"chant/engine"

	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// ExtensionsDir is the folder of extensions, texts that are appended to prompts. The older chant uses the same.
const ExtensionsDir = store.PromptsDir + "/extensions"

// Extension returns the text of an extension.
func Extension(project *engine.Project, name string) (string, error) {
	p, err := FindExtension(project, name)
	if err != nil {
		return "", err
	}
	return p.Text(func(name string, shipped bool) (Prompt, error) { return Find(project, name, shipped) })
}

// FindExtension reads an extension. Errors: NotFound, Invalid.
func FindExtension(project *engine.Project, name string) (Prompt, error) {
	path := ExtensionsDir + "/" + name + ".md"
	if err := spec.ValidName(name); err != nil {
		return Prompt{}, engine.Fail(engine.Invalid, next.Guide.On("prompts"), "prompt extension %q has no valid name", spec.Echo(name))
	}
	src, err := engine.ReadOwn(project, path)
	if errors.Is(err, fs.ErrNotExist) {
		return Prompt{}, engine.Fail(engine.NotFound, next.Guide.On("prompts"), "prompt extension %q does not exist: there is no %s", name, path)
	}
	if err != nil {
		return Prompt{}, engine.Wrap(err, "")
	}
	p, err := Parse(name, path, src)
	if err == nil && p.Extends != "" {
		err = engine.Fail(engine.Invalid, next.Guide.On("prompts"), "%s extends a prompt; an extension is put behind one", path)
	}
	return p, engine.Wrap(err, "")
}
