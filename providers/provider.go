package providers

import (
	"time"

	"chant/providers/secret"
	"chant/providers/wall"
)

// Provider prepares the process of one agent CLI. Prepare may write files into
// Invocation.StateDir and nowhere else; it starts nothing. It returns a
// *ConfigError for an invocation that cannot work and a *MissingError when the
// binary is not there.
type Provider interface {
	Name() string
	Prepare(in Invocation) (Launch, error)
}

// Continuer is a Provider whose CLI can resume a session that was interrupted.
type Continuer interface {
	// CanResume reports whether Prepare makes use of Invocation.Session.
	CanResume() bool
	// ByHand is the command with which a person resumes a session in a terminal,
	// program and arguments, nil when there is none, and what has to be set for it, each
	// entry K=V.
	ByHand(in Invocation) (argv, env []string)
}

// UsageReporter is a Provider that knows whether its agents report usage.
type UsageReporter interface {
	ReportsUsage() bool
}

// Invocation is the input of a provider for a run.
type Invocation struct {
	SpecID   string // CHANT_SPEC_ID
	SpecFile string // absolute path of the run's copy of the spec
	Title    string // the spec's title, for people
	Worktree string // absolute path of its top
	Dir      string // the folder in it in which the agent works, absolute; "" = Worktree
	Branch   string // the run's branch
	// PromptFile holds the prompt. It travels as a file or as stdin, never as
	// an argument: arguments have a length limit and are seen by every user.
	PromptFile string
	Project    string // the project's name
	Model      string // "" leaves the choice to the CLI

	Attempt int           // 1 for the first
	Timeout time.Duration // given to the agent in seconds; Limits enforces it
	Script  string        // shell only: the program
	RunID   string        // unique; CHANT_RUN_ID marks every descendant
	Home    string        // absolute path of the main worktree

	// StateDir is an existing absolute folder outside the worktree for the
	// files a provider needs.
	StateDir string
	// Sessions is an existing absolute folder that outlives the run, for files that a session
	// needs when it is resumed; "" = it will not be.
	Sessions string
	Chant    string     // absolute path of this program, "" when it is not known
	MCP      *MCPServer // nil: the agent gets no MCP server at all
	// Environ is the base environment, each entry K=V. The package reads no
	// environment of its own.
	Environ  []string
	Pass     []string // names of more variables of Environ that the agent gets; a * at the end matches any suffix
	Extra    []string // more K=V for the agent; the last of a key wins
	ReadOnly bool     // the agent is to judge: no tool that changes anything, where the CLI can be held to that

	Session string // the CLI's name of a session to continue with, "" for a new one
	Before  *Spent // what that session has used so far; nil: nothing is known
	GitDir  string // absolute path of the worktree's own folder in the repository
	Common  string // absolute path of the repository's folder
	Walled  bool   // the process will run behind a wall, in which a sandbox of its own may not start
}

// TreeFile is a file of a worktree.
type TreeFile struct {
	Path    string // with slashes
	Content []byte
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
	// KeyEnv is the name of a variable in Env whose value is secret, whatever it is called;
	// "" for none but those that are called so.
	KeyEnv string
	// State are the files and folders below the user's home folder in which the CLI keeps settings, logins and sessions,
	// absolute. It needs to write to them.
	State []string
	// Hosts are those of the model's API and of the login, each NAME, *.NAME or an address, with :PORT if it is not 443 or 80.
	// The CLI needs to connect to them.
	Hosts []string
	// Terminals says that the CLI runs its tools in terminals and cannot do without.
	Terminals bool
	// Wall limits what the process and its descendants may do; nil = nothing does.
	Wall *wall.Policy
	// TreeConfig is a file that the worktree must have while the agent works: the MCP config of a CLI that reads it
	// nowhere else; nil for none.
	TreeConfig *TreeFile
	// OwnRetries says that settings of the project limit how often the model's API is asked again, instead of Limits.Answer.
	OwnRetries bool
	// Server says that the agent was given the MCP server of its invocation.
	Server bool
	// Secrets are taken out of all that it prints; nil: none are known.
	Secrets *secret.Redactor
	// NewDecoder returns a fresh decoder for one run; nil decodes plain lines
	// and judges by the exit code.
	NewDecoder func() Decoder
}
