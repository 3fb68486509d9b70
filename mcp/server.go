package mcp

import (
	"context"
	"io"
	"log"
	"sync/atomic"

	"chant/engine"

	"chant/mcp/code"

	"chant/mcp/prompts"

	"chant/mcp/tools"
	"chant/mcp/toolset"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// Options describe a server and which of the tools it offers.
type Options struct {
	Version  string
	Toolsets []string // empty = specs
	Tools    []string // of these toolsets; empty = all
	ReadOnly bool     // only tools that change nothing
	// Workspace opens the project for tools of a dialect, which may create one for a tool that writes; nil = as for
	// other tools.
	Workspace func(ctx context.Context, dir string, writes bool) (*engine.Project, error)
	// Folder opens a folder in which there is no project, for tools that need none; nil = they need one, too.
	Folder func(ctx context.Context, dir string) (*engine.Project, error)
	// Executable is the file whose change ends a server that serves only a dialect, between two requests; "" = none.
	Executable string
	// Redact removes secrets from replies and notifications; nil = nothing.
	Redact func([]byte) []byte
}

// choice is what the options say about the tools.
func (o Options) choice() toolChoice {
	return toolChoice{Toolsets: o.Toolsets, Tools: o.Tools, ReadOnly: o.ReadOnly}
}

// serverName is how the server introduces itself.
const serverName = "chant"

// Serve answers MCP messages from in on out until in ends or ctx is done, and
// then waits for calls under way. open finds the project anew for each call.
// Details of internal errors go to logs. Errors: *engine.Error with the code
// Usage for an unknown toolset or tool, or what writing to out returned. A read
// that is under way when ctx ends is left to end with its stream.
func Serve(ctx context.Context, in io.Reader, out io.Writer, logs io.Writer, open func(dir string) (*engine.Project, error), o Options) error {
	c, err := chooseTool(toolsets(), o.choice())
	if err != nil {
		return err
	}
	return newServer(logs, open, c, o).serve(ctx, in, out)
}

// server is the state that the connections of one process share.
type server struct {
	core    *mcpserver.MCPServer
	catalog catalog
	o       Options

	prompts   *prompts.Server
	resources *prompts.ResourceServer

	open  func(dir string) (*engine.Project, error)
	marks func(ctx context.Context, uri string) (string, error) // the state of a resource
	lists func(context.Context) ([]any, error)                  // the tools as clients see them
	runs  func(context.Context, toolset.Tool, *toolRequest) (*mcpgo.CallToolResult, error)
	log   *log.Logger
	idle  idle        // returns memory to the system
	used  atomic.Bool // recordUse has nothing left to do
}

func newServer(logs io.Writer, open func(dir string) (*engine.Project, error), c catalog, o Options) *server {
	s := &server{catalog: c, o: o, open: open, log: log.New(logs, "chant mcp: ", 0)}
	s.prompts = &prompts.Server{Project: s.folderOfPrompts, Log: s.log}
	s.resources = &prompts.ResourceServer{Project: s.folderOfPrompts, Log: s.log}
	s.marks, s.lists, s.runs = s.resources.Mark, s.describeTools, s.runTool
	s.core = mcpserver.NewMCPServer(s.name(), o.Version,
		mcpserver.WithToolCapabilities(false),
		mcpserver.WithLogging(),
		mcpserver.WithInstructions(c.Instructions),
		mcpserver.WithResourceCapabilities(true, false),
		mcpserver.WithCompletions(),
		mcpserver.WithPromptCapabilities(false),
		mcpserver.WithResourceCompletionProvider(s.resources),
		mcpserver.WithPromptCompletionProvider(s.prompts),
		mcpserver.WithHooks(s.hooks()),
	)
	s.resources.Add(s.core)
	s.prompts.Add(s.core)
	return s
}

// toolsets lists every toolset. The first is the one that is offered by default.
func toolsets() []toolset.Set {
	return []toolset.Set{tools.Specs(), tools.Review(), tools.Plans(), tools.Tasks(), tools.Commands(), code.Set(), tools.Features()}
}

// Toolset describes a toolset for help and documents.
type Toolset struct {
	Name, About string
	Tools       []string // names, without those that depend on the settings
	Alone       []string // their names where nothing else is served; nil where they are the same
}

// Toolsets describes every toolset. The first is the default.
func Toolsets() []Toolset {
	var out []Toolset
	for _, set := range toolsets() {
		described := Toolset{Name: set.Name, About: set.About}
		for _, t := range set.Tools {
			described.Tools = append(described.Tools, t.Name)
		}
		if set.Standalone.Prefix != "" {
			for _, t := range set.Served(true).Tools {
				described.Alone = append(described.Alone, t.Name)
			}
		}
		out = append(out, described)
	}
	return out
}
