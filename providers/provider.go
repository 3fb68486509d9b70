package providers

import "time"

// Provider prepares the process of one agent CLI. Prepare may write files into
// Invocation.StateDir and nowhere else; it starts nothing. It returns a
// *ConfigError for an invocation that cannot work and a *MissingError when the
// binary is not there.
type Provider interface {
	Name() string
	Prepare(in Invocation) (Launch, error)
}

// Invocation is what a run tells a provider.
type Invocation struct {
	SpecID   string // CHANT_SPEC_ID
	SpecFile string // absolute path of the run's copy of the spec
	Title    string // the spec's title, for people
	Worktree string // absolute path; the agent's working directory
	Branch   string // the run's branch
	// PromptFile holds the prompt. It travels as a file or as stdin, never as
	// an argument: arguments have a length limit and are seen by every user.
	PromptFile string
	Project    string // the project's name
	Model      string // "" leaves the choice to the CLI

	Attempt int           // 1 for the first
	Timeout time.Duration // told to the agent in seconds; Limits enforces it
	Script  string        // shell only: the program
	RunID   string        // unique; CHANT_RUN_ID marks every descendant
	Home    string        // absolute path of the main worktree

	// StateDir is an existing absolute folder outside the worktree for the
	// files a provider needs.
	StateDir string
	MCP      *MCPServer // nil: the agent gets no MCP server at all
	// Environ is the base environment, each entry K=V. The package reads no
	// environment of its own.
	Environ  []string
	Extra    []string // more K=V for the agent; the last of a key wins
	ReadOnly bool     // the agent is to judge: no tool that changes anything, where the CLI can be held to that
}

// MCPServer is the stdio MCP server that the agent is given under the name
// "chant".
type MCPServer struct {
	Command string
	Args    []string
	Env     map[string]string
}

// Launch is a process ready to be started by Run.
type Launch struct {
	Path string   // absolute path of the binary
	Args []string // without argv[0]
	Dir  string   // working directory
	Env  []string // the whole environment, K=V
	// Stdin is the path of a file opened read-only; "" is the null device.
	Stdin string
	// NewDecoder returns a fresh decoder for one run; nil decodes plain lines
	// and judges by the exit code.
	NewDecoder func() Decoder
}

// BuiltIn returns the provider with this name that needs no configuration.
func BuiltIn(name string) (Provider, bool) {
	for _, p := range builtIns() {
		if p.Name() == name {
			return p, true
		}
	}
	return nil, false
}

// Names lists the built-in providers in the order people are shown them.
func Names() []string {
	var names []string
	for _, p := range builtIns() {
		names = append(names, p.Name())
	}
	return names
}

func builtIns() []Provider { return []Provider{Claude(), Shell()} }
