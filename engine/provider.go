package engine

import (
	"errors"
	"io/fs"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
	"chant/providers"
)

// provider finds an agent CLI by name: the project's own, then commands of the pool,
// then the built-in ones.
func (e *Engine) provider(name string) (providers.Provider, error) {
	if custom, err := e.customProvider(name); custom != nil || err != nil {
		return custom, err
	}
	if a, ok := e.config.Parallel.Agents.named(name); ok && a.Command != "" {
		return providers.ClaudeAs(a.Name, a.Command), nil
	}
	if p, ok := providers.BuiltIn(name); ok {
		return p, nil
	}
	return nil, fail(NotFound, "chant init --provider claude", "no provider %q in %s, and none of that name is built in (%s)",
		name, store.ProvidersDir, strings.Join(providers.Names(), ", "))
}

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
