package engine

import (
	"errors"
	"io/fs"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
	"chant/providers"
)

// customFields is the front matter of `.chant/providers/<name>.md`.
type customFields struct {
	Command string            `yaml:"command"`
	Args    spec.StringList   `yaml:"args"`
	Env     map[string]string `yaml:"env"`
}

// customProvider reads a provider that the project defines; nil when it does not
// define one of this name.
func (e *Engine) customProvider(name string) (providers.Provider, error) {
	if err := spec.ValidName(name); err != nil {
		return nil, fail(Invalid, "chant work --help", "provider %q has no valid name", name)
	}
	path := store.ProvidersDir + "/" + name + ".md"
	src, err := e.store.ReadTree(e.Home(), path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	doc, err := markdown.Parse(path, src)
	if err != nil {
		return nil, err
	}
	var f customFields
	if err := doc.Decode(&f); err != nil {
		return nil, err
	}
	return providers.NewCustom(providers.Custom{Name: name, Command: f.Command, Args: f.Args, Env: f.Env})
}
