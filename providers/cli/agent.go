package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/providers"
)

// agent is the provider of a definition.
type agent struct{ def Definition }

// Name implements providers.Provider.
func (a agent) Name() string { return a.def.Name }

// CanResume implements providers.Continuer.
func (a agent) CanResume() bool { return len(a.def.Resume) > 0 }

// ReportsUsage implements providers.UsageReporter.
func (a agent) ReportsUsage() bool { return a.def.form() != "lines" }

// ByHand implements providers.Continuer. A variable about what only a run has, such as a
// file of its own, is not there afterwards.
func (a agent) ByHand(in providers.Invocation) (argv, env []string) {
	if len(a.def.ByHand) == 0 || in.Session == "" {
		return nil, nil
	}
	v := values(in)
	lasting := maps.Clone(a.def.OwnEnv)
	// A file of the run is gone when a person resumes the session.
	maps.DeleteFunc(lasting, func(_, template string) bool { return hasMissing(template, v) })
	return append([]string{expand(a.def.Command, v)}, arguments(a.def.ByHand, v)...), assignments(lasting, v)
}

// Prepare implements providers.Provider. It writes the MCP config into the state folder,
// also without a server: if a CLI must use only that file, an empty one excludes
// the servers of the project.
func (a agent) Prepare(in providers.Invocation) (providers.Launch, error) {
	d := a.def
	if d.Stdin && in.PromptFile == "" {
		return providers.Launch{}, &providers.ConfigError{Provider: d.Name, Msg: "run has no prompt file"}
	}
	if in.Session != "" && !a.CanResume() {
		return providers.Launch{}, &providers.ConfigError{Provider: d.Name, Msg: "it cannot resume a session"}
	}
	v := values(in)
	path, err := find(d.Name, expand(d.Command, v), in)
	if err != nil {
		return providers.Launch{}, err
	}
	needs := d.extraVariables(in.Environ)
	// This is done without a server too: a CLI that must use only this file has to get an empty one, which excludes the
	// servers of the project.
	if err := d.configure(in, v, serverEnv(providers.AgentEnv(in, nil, needs...))); err != nil {
		return providers.Launch{}, err
	}
	env := assignments(d.Env, v)
	if in.ReadOnly {
		env = append(env, assignments(d.ReadOnlyEnv, v)...)
	}
	env = providers.AgentEnv(in, env, needs...)
	// A short secret appears everywhere in the output by chance, and the CLI would take it out there too.
	if problem := d.shortSecret(env); problem != "" {
		return providers.Launch{}, &providers.ConfigError{Provider: d.Name, Msg: problem}
	}
	launch := providers.Launch{
		Path: path, Args: arguments(d.mode(in), v), Dir: in.Folder(), Env: env,
		State: d.statePaths(in.Environ), Hosts: d.hosts(env), Terminals: d.Terminals,
		Server:     d.MCP != "" && in.MCP != nil,
		NewDecoder: func() providers.Decoder { return forms()[d.form()](in) },
	}
	if file := treeFiles()[d.MCP]; file != "" && in.MCP != nil {
		launch.TreeConfig = &providers.TreeFile{Path: file, Content: []byte(v["mcp_inline"] + "\n")}
	}
	if d.Stdin {
		launch.Stdin = in.PromptFile
	}
	return launch, nil
}

// minHidden is the length in bytes from which a value does not appear in output by chance.
const minHidden = 8

// shortSecret says which of the values is too short that the CLI hides, "" without one.
func (d Definition) shortSecret(env []string) string {
	for _, name := range d.Hides {
		if value := providers.Variable(env, name); value != "" && len(value) < minHidden {
			return fmt.Sprintf("%s has fewer than %d bytes; %s takes it out of all that it prints, and nothing it says could be read", name, minHidden, d.Command)
		}
	}
	return ""
}

// assignments fills in the placeholders of variables.
func assignments(vars, v map[string]string) []string {
	var env []string
	for _, key := range slices.Sorted(maps.Keys(vars)) {
		env = append(env, key+"="+expand(vars[key], v))
	}
	return env
}

// mode chooses the arguments of an invocation.
func (d Definition) mode(in providers.Invocation) []Group {
	switch {
	case in.ReadOnly && len(d.ReadOnly) > 0:
		return d.wallArgs(in, d.ReadOnly)
	case in.Session != "":
		return d.wallArgs(in, d.Resume)
	}
	return d.wallArgs(in, d.Args)
}

// wallArgs replaces all arguments but the first group by those for a process behind a wall.
func (d Definition) wallArgs(in providers.Invocation, usual []Group) []Group {
	if !in.Walled || len(d.Walled) == 0 || len(usual) == 0 {
		return usual
	}
	// A sandbox of the CLI's own cannot start behind a wall.
	return append([]Group{usual[0]}, d.Walled...)
}

func (d Definition) form() string {
	if d.Events == "" {
		return "lines"
	}
	return d.Events
}

// extraVariables are the names of the variables that the CLI gets beside those of every agent.
func (d Definition) extraVariables(environ []string) []string {
	pass := slices.Clone(d.Pass)
	for _, l := range d.Login {
		if set(environ, l.When) {
			pass = append(pass, append(l.Pass, l.When)...)
		}
	}
	return pass
}

// set reports whether a variable is there and does not mean no.
func set(environ []string, name string) bool {
	return !slices.Contains([]string{"", "0", "false", "no"}, strings.ToLower(providers.Variable(environ, name)))
}

// arguments fills in the placeholders. They never pass a shell, so a value with spaces
// or quotes stays one argument.
func arguments(groups []Group, v map[string]string) []string {
	var args []string
	for _, g := range groups {
		// An option without its value would take the next argument for it.
		if g.Optional && slices.ContainsFunc(g.Words, func(w string) bool { return hasMissing(w, v) }) {
			continue
		}
		for _, w := range g.Words {
			args = append(args, expand(w, v))
		}
	}
	return args
}

// find returns the path of the program of a CLI. One that the project has itself is in home while there is no worktree
// yet, when a run is only planned.
func find(name, command string, in providers.Invocation) (string, error) {
	path, err := providers.Find(command, in.Folder(), in.Environ)
	if err != nil && !filepath.IsAbs(command) {
		// A run that is only planned has no worktree yet, and its program can be one of the project.
		if _, gone := os.Stat(in.Worktree); errors.Is(gone, fs.ErrNotExist) {
			path, err = providers.Find(command, in.Home, in.Environ)
		}
	}
	if err != nil {
		return "", &providers.MissingError{Provider: name, Binary: command}
	}
	return path, nil
}
