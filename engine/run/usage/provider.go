package usage

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/schedule"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/providers"
	"chant/providers/cli"
)

// This file chooses the agent for a spec and its prompt: provider, model, prompt and extensions, from the settings, the
// project's files and what is shipped.
//
// It does not start agents.

// Provider finds an agent CLI by name: among the project's own, the commands of the pool, chant's own loop and the
// built-in ones, in this order.
func Provider(p *engine.Project, name string) (providers.Provider, error) {
	d, err := Describe(p, name)
	switch {
	case err != nil:
		return nil, err
	case d.Cli != nil:
		return cli.New(*d.Cli)
	case d.Loop != nil:
		return cli.NewLoop(*d.Loop), nil
	}
	return cli.Shell(), nil
}

// ProviderOf names the provider of a spec without a flag.
func ProviderOf(p *engine.Project, s *spec.Spec) string {
	return cmp.Or(s.Fields.Provider, p.Config.Defaults.Provider)
}

// ModelOf names the model of a spec without a flag, "" if the agent chooses.
func ModelOf(p *engine.Project, s *spec.Spec) string {
	return cmp.Or(s.Fields.Model, p.Config.Defaults.Model)
}

// PoolAgents lists the agents of the settings.
func PoolAgents(p *engine.Project) []schedule.Agent {
	var agents []schedule.Agent
	for _, a := range p.Config.Parallel.Agents {
		agents = append(agents, schedule.Agent{
			Name: a.Name, Provider: cmp.Or(a.Provider, a.Name), Model: a.Model, Max: a.MaxConcurrent, Weight: a.Weight,
		})
	}
	return agents
}

// described is the definition of a provider: one of these, or neither for the shell.
type described struct {
	Cli  *cli.Definition
	Loop *cli.Loop
}

// Describe returns the definition of a provider: from a file of the project, the settings, or built in. Error:
// NotFound.
func Describe(p *engine.Project, name string) (described, error) {
	own, err := ownDefinition(p, name, nil)
	if own != nil || err != nil {
		return described{Cli: own}, err
	}
	// An agent of the pool is a claude of another name or path.
	if a, ok := p.Config.Parallel.Agents.Find(name); ok && a.Command != "" {
		d, _ := cli.BuiltIn("claude")
		d.Name, d.Command = a.Name, a.Command
		return described{Cli: &d}, nil
	}
	if l, ok := p.Config.Providers.Loop(name); ok {
		return described{Loop: &l}, nil
	}
	if d, ok := cli.BuiltIn(name); ok {
		return described{Cli: &d}, nil
	}
	if name == cli.ShellName {
		return described{}, nil
	}
	return described{}, noProvider(name)
}

func noProvider(name string) error {
	return engine.Fail(engine.NotFound, next.Init.On().Set("provider", "claude"), "no provider %q in %s, and none of that name is built in (%s)",
		name, store.ProvidersDir, strings.Join(cli.Names(), ", "))
}

// ownDefinition reads a provider that the project defines; nil if it does not define one of this name. from lists the
// providers whose `like` led here.
func ownDefinition(p *engine.Project, name string, from []string) (*cli.Definition, error) {
	if err := spec.ValidName(name); err != nil {
		return nil, engine.Fail(engine.Invalid, next.Work.Help(), "provider %q has no valid name", name)
	}
	path := store.ProvidersDir + "/" + name + ".md"
	src, err := p.Store.ReadTree(engine.Home(p), path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := config.ReadProvider(path, src)
	if err != nil {
		return nil, err
	}
	return Define(p, name, f, from)
}

// Define returns the definition that the fields of a file result in.
func Define(p *engine.Project, name string, f config.ProviderFields, from []string) (*cli.Definition, error) {
	d := &cli.Definition{}
	if f.Like != "" {
		like, err := definitionLike(p, f.Like, append(from, name))
		if err != nil {
			return nil, err
		}
		d = like
	}
	f.ApplyTo(d)
	d.Name = name
	return d, nil
}

// definitionLike returns the definition that the key `like` names. A provider may be like the
// built-in one of its own name.
func definitionLike(p *engine.Project, name string, from []string) (*cli.Definition, error) {
	// A file may extend the built-in provider of its own name, so a name that led here is looked up there.
	if !slices.Contains(from, name) {
		if own, err := ownDefinition(p, name, from); own != nil || err != nil {
			return own, err
		}
	} else if from[len(from)-1] != name {
		return nil, engine.Fail(engine.Invalid, next.Config.On().Flag("validate"), "providers are like each other in a circle: %s", strings.Join(append(from, name), ", "))
	}
	if d, ok := cli.BuiltIn(name); ok {
		return &d, nil
	}
	path := store.ProvidersDir + "/" + from[len(from)-1] + ".md"
	why := "no provider %q that can be described"
	if _, isLoop := p.Config.Providers.Loop(name); isLoop {
		why = "%q is chant's own loop, which is described under providers in " + store.ConfigPath + " and not in a file"
	} else if _, pooled := p.Config.Parallel.Agents.Find(name); pooled {
		why = "%q is an agent of the pool, not a provider"
	}
	return nil, engine.Fail(engine.Invalid, next.Guide.On("agents"), "%s: like: "+why+" (%s, or another file there)", path, name, strings.Join(cli.BuiltIns(), ", "))
}

// OwnNames lists the providers that the project defines itself: those with a file, and the commands of the pool.
func OwnNames(p *engine.Project) []string {
	var names []string
	entries, err := os.ReadDir(filepath.Join(engine.Home(p), filepath.FromSlash(store.ProvidersDir)))
	if err == nil {
		for _, e := range entries {
			if name, ok := strings.CutSuffix(e.Name(), ".md"); ok {
				names = append(names, name)
			}
		}
	}
	for _, a := range p.Config.Parallel.Agents {
		if a.Command != "" {
			names = append(names, a.Name)
		}
	}
	return names
}
