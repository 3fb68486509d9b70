package node

import (
	"context"
	"maps"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/run/agent"
	"chant/providers"
	"chant/providers/cli"
	"chant/providers/loop"
)

// reachFor is how long the server of a model may take to answer.
const reachFor = time.Second

// providersOf lists the providers that can be used in a clone: their programs are there, and nothing suggests that a login
// is missing. Those that the project defines itself only need their program, and a model that is asked without a key needs
// a server that answers: a machine that offered one in vain would take its specs from those that have it.
func providersOf(ctx context.Context, p *engine.Project) []string {
	var out []string
	for _, name := range slices.Concat(cli.Names(), agent.OwnNames(p), slices.Collect(maps.Keys(p.Config.Providers))) {
		if usable(ctx, p, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// usable reports whether a provider can be used in a clone.
func usable(ctx context.Context, p *engine.Project, name string) bool {
	d, err := agent.Describe(p, name)
	switch {
	case err != nil:
		return false // lint and config --validate report it
	case d.Loop != nil:
		return answers(ctx, *d.Loop, p.Environ)
	case d.Cli == nil:
		return true // scripts
	case slices.Contains(agent.OwnNames(p), name):
		_, err := providers.Find(d.Cli.Command, engine.Home(p), p.Environ)
		return err == nil
	}
	state, _ := cli.LoginOf(name, p.Environ)
	return state != cli.NoLogin && cli.InstalledIn(name, engine.Home(p), p.Environ)
}

// answers reports whether a model can be asked: its key is there, or its server answers where it needs none.
func answers(ctx context.Context, l cli.Loop, environ []string) bool {
	key, err := l.Key(environ)
	switch {
	case err != nil || l.Check() != nil:
		return false
	case key != "":
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, reachFor)
	defer cancel()
	return loop.Reach(ctx, l.URL()) == nil
}
