package cli

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"chant/providers"
)

// Definition describes an agent CLI as data. Command, arguments and the values of Env
// may hold placeholders (Placeholders lists them).
type Definition struct {
	Name    string
	Command string // a name on the PATH, or a path; a relative one starts at the worktree

	Args     []Group // of a new session
	Resume   []Group // of one that resumes {{session}}; none: the CLI cannot
	ReadOnly []Group // of one that may change nothing; none: as Args, and looked after afterwards
	ByHand   []Group // with which a person resumes {{session}} in a terminal; none: the CLI cannot

	Env         map[string]string // set for the agent
	OwnEnv      map[string]string // those of Env that the project chose, set for a person with ByHand too
	ReadOnlyEnv map[string]string // set for one that may change nothing
	Pass        []string          // names of variables that it gets in addition to every agent's; a * at the end matches any suffix
	Login       []Login           // more of them, where another is set

	Signs Signs // of its logins

	// Hides are names of variables whose values the CLI takes out of all that it prints. A
	// short one destroys the output with that, and is refused.
	Hides []string

	// Hosts are those of the model's API and of its login, as in providers.Launch, and URLs are names of variables with the
	// URL of another API.
	Hosts, URLs []string

	// State are the files and folders in which the CLI keeps what is its own.
	State []StatePath
	// Terminals says that it runs its tools in terminals and cannot do without.
	Terminals bool
	// Walled are the arguments in a process that runs behind a wall, after the first group of the usual ones; none: the
	// usual ones.
	Walled []Group

	Stdin  bool   // the prompt is stdin; else {{prompt_file}} says where it is
	MCP    string // form of the MCP config, one of Configs; "" = it gets no server
	Events string // form of the output, one of Forms; "" = lines

	// Endpoint is the URL of the model's API, which chant config --validate reports if it
	// does not answer; "" = the CLI's own.
	Endpoint string
	// Experimental says that the definition follows what is documented of the CLI and has
	// not been run.
	Experimental bool
}

// Group is a part of the arguments. An optional one is left out when a placeholder in it
// has no value in a run.
type Group struct {
	Words    []string
	Optional bool
}

// Login names variables that a CLI needs only where another one is set, such as those of
// a cloud that it reaches its models through.
type Login struct {
	When string
	Pass []string
}

// words are arguments that are always there.
func words(all ...string) Group { return Group{Words: all} }

// optionalWords are arguments that are omitted unless all their placeholders have a value.
func optionalWords(all ...string) Group { return Group{Words: all, Optional: true} }

// New returns the provider of a definition, or a *providers.ConfigError for a missing
// command, an unknown placeholder or form, or an impossible name of a variable.
func New(d Definition) (providers.Provider, error) {
	if problems := d.Problems(); len(problems) > 0 {
		return nil, &providers.ConfigError{Provider: d.Name, Msg: problems[0]}
	}
	return agent{d}, nil
}

// NoCommand is the problem of a definition without a command.
const NoCommand = "command is missing"

// Problems are all reasons why New refuses the definition, each once.
func (d Definition) Problems() []string {
	var all []string
	if strings.TrimSpace(d.Command) == "" {
		all = append(all, NoCommand)
	}
	for _, template := range d.templates() {
		for _, name := range unknownPlaceholders(template) {
			if said := fmt.Sprintf("unknown placeholder %q", "{{"+name+"}}"); !slices.Contains(all, said) {
				all = append(all, said)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(d.Env)) {
		if key == "" || strings.ContainsAny(key, "=\x00") {
			all = append(all, fmt.Sprintf("impossible environment variable %q", key))
		}
	}
	if d.MCP != "" && configs()[d.MCP] == nil {
		all = append(all, fmt.Sprintf("mcp %q is none of %s", d.MCP, strings.Join(Configs(), ", ")))
	}
	if d.Events != "" && forms()[d.Events] == nil {
		all = append(all, fmt.Sprintf("events %q is none of %s", d.Events, strings.Join(Forms(), ", ")))
	}
	return all
}

// templates returns every string of the definition that may hold placeholders.
func (d Definition) templates() []string {
	all := []string{d.Command}
	for _, g := range slices.Concat(d.Args, d.Resume, d.ReadOnly, d.ByHand) {
		all = append(all, g.Words...)
	}
	for _, key := range slices.Sorted(maps.Keys(d.Env)) {
		all = append(all, d.Env[key])
	}
	return all
}

// StatePath is a file or folder in which a CLI keeps settings, logins or sessions.
type StatePath struct {
	Variable string // names the folder that takes the place of Usual; "" = none does
	Usual    string // below the home folder; an absolute path is taken as it is
	Name     string // below that folder; "" = the folder itself
}

// statePaths returns the paths of a CLI's state in an environment. Without a home folder there are none below it.
func (d Definition) statePaths(environ []string) []string {
	var out []string
	for _, s := range d.State {
		if path := s.pathIn(environ); path != "" {
			out = append(out, path)
		}
	}
	return out
}

// pathIn returns the path in an environment, "" without a home folder that it would be below.
func (s StatePath) pathIn(environ []string) string {
	top := strings.TrimPrefix(s.Usual, "~/")
	if !filepath.IsAbs(top) {
		top = filepath.Join(providers.Variable(environ, "HOME"), top)
	}
	// A relative path in such a variable means nothing here, since the CLI runs elsewhere.
	if moved := providers.Variable(environ, s.Variable); s.Variable != "" && filepath.IsAbs(moved) {
		top = moved
	}
	if !filepath.IsAbs(top) {
		return ""
	}
	return filepath.Join(top, s.Name)
}

// Paths of settings, data and state by the XDG Base Directory Specification.
func xdgConfig(name string) StatePath { return StatePath{"XDG_CONFIG_HOME", ".config", name} }
func xdgData(name string) StatePath   { return StatePath{"XDG_DATA_HOME", ".local/share", name} }
func xdgState(name string) StatePath  { return StatePath{"XDG_STATE_HOME", ".local/state", name} }
