package engine

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/providers"
	"chant/providers/cli"
)

// provider finds an agent CLI by name: the project's own, then commands of the pool,
// then chant's own loop, then the built-in ones.
func (e *Engine) provider(name string) (providers.Provider, error) {
	d, err := e.described(name)
	switch {
	case err != nil:
		return nil, err
	case d.cli != nil:
		return cli.New(*d.cli)
	case d.loop != nil:
		return cli.NewLoop(*d.loop), nil
	}
	return cli.Shell(), nil
}

// providerOf names the provider of a spec where no flag does.
func (e *Engine) providerOf(s *spec.Spec) string {
	return cmp.Or(s.Fields.Provider, e.config.Defaults.Provider)
}

// modelOf names the model of a spec where no flag does, "" where the agent chooses.
func (e *Engine) modelOf(s *spec.Spec) string { return cmp.Or(s.Fields.Model, e.config.Defaults.Model) }

// described is what a provider is made of: one of these, or neither for the shell.
type described struct {
	cli  *cli.Definition
	loop *cli.Loop
}

func (e *Engine) described(name string) (described, error) {
	own, err := e.ownDefinition(name, nil)
	if own != nil || err != nil {
		return described{cli: own}, err
	}
	if a, ok := e.config.Parallel.Agents.named(name); ok && a.Command != "" {
		d, _ := cli.BuiltIn("claude")
		d.Name, d.Command = a.Name, a.Command
		return described{cli: &d}, nil
	}
	if l, ok := e.config.Providers.loop(name); ok {
		return described{loop: &l}, nil
	}
	if d, ok := cli.BuiltIn(name); ok {
		return described{cli: &d}, nil
	}
	if name == cli.ShellName {
		return described{}, nil
	}
	return described{}, noProvider(name)
}

func noProvider(name string) error {
	return fail(NotFound, "chant init --provider claude", "no provider %q in %s, and none of that name is built in (%s)",
		name, store.ProvidersDir, strings.Join(cli.Names(), ", "))
}

// ownDefinition reads a provider that the project defines; nil when it does not define
// one of this name. from are the names of those that are like it.
func (e *Engine) ownDefinition(name string, from []string) (*cli.Definition, error) {
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
	f, err := readProvider(path, src)
	if err != nil {
		return nil, err
	}
	return e.defined(name, f, from)
}

// defined is the definition that the fields of a file make.
func (e *Engine) defined(name string, f providerFields, from []string) (*cli.Definition, error) {
	d := &cli.Definition{}
	if f.Like != "" {
		like, err := e.definitionLike(f.Like, append(from, name))
		if err != nil {
			return nil, err
		}
		d = like
	}
	f.over(d)
	d.Name = name
	return d, nil
}

// definitionLike is what another definition begins with. A provider may be like the
// built-in one of its own name.
func (e *Engine) definitionLike(name string, from []string) (*cli.Definition, error) {
	if !slices.Contains(from, name) {
		if own, err := e.ownDefinition(name, from); own != nil || err != nil {
			return own, err
		}
	} else if from[len(from)-1] != name {
		return nil, fail(Invalid, "chant config --validate", "providers are like each other in a circle: %s", strings.Join(append(from, name), ", "))
	}
	if d, ok := cli.BuiltIn(name); ok {
		return &d, nil
	}
	path := store.ProvidersDir + "/" + from[len(from)-1] + ".md"
	why := "no provider %q that can be described"
	if _, isLoop := e.config.Providers.loop(name); isLoop {
		why = "%q is chant's own loop, which is described under providers in " + store.ConfigPath + " and not in a file"
	} else if _, pooled := e.config.Parallel.Agents.named(name); pooled {
		why = "%q is an agent of the pool, not a provider"
	}
	return nil, fail(Invalid, "chant guide agents", "%s: like: "+why+" (%s, or another file there)", path, name, strings.Join(cli.BuiltIns(), ", "))
}
