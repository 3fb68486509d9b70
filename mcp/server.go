package mcp

import (
	"context"
	"io"
	"log"
	"slices"

	"chant/engine"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// Options say what a server is called and which of the tools it shows.
type Options struct {
	Version  string
	Toolsets []string // empty = specs
	Tools    []string // of these toolsets; empty = all
	ReadOnly bool     // only tools that change nothing
	// Redact takes out of replies and notifications what nobody is to read; nil = nothing.
	Redact func([]byte) []byte
}

// instructions tell a model how a spec is worked.
const instructions = `chant keeps work as specs: Markdown files with acceptance criteria, worked by agents on branches of their own.
Find work with chant_ready or chant_search and read it with chant_spec_get; partial IDs do.
Meet every acceptance criterion and commit as you go. chant runs the command that a criterion ends in; tick the others with chant_criterion_check once they hold. Never weaken a criterion.
chant_verify tells what is open. When nothing is, call chant_finalize: it completes the spec. Inside the spec's own run it only checks; end your turn, and chant completes and lands the spec.
When a spec is stuck, chant_diagnose says why. Errors end with a hint: the next command.`

// Serve answers MCP messages from in on out until in ends or ctx is done, and
// then waits for calls under way. open finds the project anew for each call.
// Details of internal errors go to logs. Errors: *engine.Error with the code
// Usage for an unknown toolset or tool, or what writing to out returned. A read
// that is under way when ctx ends is left to end with its stream.
func Serve(ctx context.Context, in io.Reader, out io.Writer, logs io.Writer, open func(dir string) (*engine.Engine, error), o Options) error {
	tools, err := choose(table(), o)
	if err != nil {
		return err
	}
	s := newServer(logs, open, o.Version, tools)
	s.redact = o.Redact
	return s.serve(ctx, in, out)
}

// server is what the connections of one process share.
type server struct {
	core  *mcpserver.MCPServer
	tools []tool // those it shows, in the order of the table

	redact func([]byte) []byte // nil takes nothing out
	open   func(dir string) (*engine.Engine, error)
	marks  func(ctx context.Context, uri string) (string, error) // the state of a resource
	log    *log.Logger
}

func newServer(logs io.Writer, open func(dir string) (*engine.Engine, error), version string, tools []tool) *server {
	s := &server{tools: tools, open: open, log: log.New(logs, "chant mcp: ", 0)}
	s.marks = s.mark
	s.core = mcpserver.NewMCPServer("chant", version,
		mcpserver.WithToolCapabilities(false),
		mcpserver.WithLogging(),
		mcpserver.WithInstructions(instructions),
		mcpserver.WithResourceCapabilities(true, false),
		mcpserver.WithCompletions(),
		mcpserver.WithPromptCapabilities(false),
		mcpserver.WithResourceCompletionProvider(completer{s}),
		mcpserver.WithPromptCompletionProvider(completer{s}),
		mcpserver.WithHooks(s.hooks()),
	)
	for _, t := range tools {
		s.core.AddTool(t.describe(), s.handler(t))
	}
	s.addResources()
	s.addPrompts()
	s.core.AddTool(mcpgo.Tool{Name: refusing, InputSchema: mcpgo.ToolInputSchema{Type: "object"}}, refuse)
	return s
}

// find returns the tool with this name.
func (s *server) find(name string) (tool, bool) {
	i := slices.IndexFunc(s.tools, func(t tool) bool { return t.name == name })
	if i < 0 {
		return tool{}, false
	}
	return s.tools[i], true
}
