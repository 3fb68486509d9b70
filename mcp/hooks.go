package mcp

import (
	"context"

	"chant/mcp/prompts"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// hooks correct what the library would answer of itself.
func (s *server) hooks() *mcpserver.Hooks {
	h := &mcpserver.Hooks{}
	h.AddBeforeInitialize(func(_ context.Context, _ any, m *mcpgo.InitializeRequest) {
		if m.Params.ProtocolVersion == "" {
			// The library takes an empty version for one that is newer than what such clients know.
			m.Params.ProtocolVersion = unnamed
		}
	})
	h.AddAfterInitialize(func(ctx context.Context, _ any, m *mcpgo.InitializeRequest, r *mcpgo.InitializeResult) {
		if s.catalog.Standalone {
			s.setDialectVersion(m.Params.ProtocolVersion, r)
		} else {
			agree(m.Params.ProtocolVersion, r)
		}
		// Only this version has tasks.
		if r.ProtocolVersion == mcpgo.ProtocolVersion20251125 && s.supportsTasks() {
			r.Capabilities.Tasks = tasksCapability()
		}
		if client := sessionOf(ctx); client != nil {
			client.hints.Begin(ctx)
			client.offer(m.Params.Capabilities.Roots != nil)
			client.elicits.Store(elicitForm(m.Params.Capabilities))
		}
	})
	h.AddAfterListResources(s.resources.List)
	h.AddAfterListPrompts(s.prompts.List)
	h.AddBeforeGetPrompt(prompts.Lead)
	h.AddOnError(func(ctx context.Context, _ any, _ mcpgo.MCPMethod, _ any, err error) {
		// The library shows the error only as text, and its reply depends on the kind.
		if note, ok := ctx.Value(failureKey{}).(*failure); ok {
			note.err = err
		}
	})
	return h
}

// unnamed represents the version of a client that names none. The library takes
// an empty one for 2025-03-26.
const unnamed = "unnamed"

// agree leaves in the reply to initialize what the agreed version knows.
func agree(asked string, r *mcpgo.InitializeResult) {
	if asked == unnamed {
		r.ProtocolVersion = mcpgo.ProtocolVersion20241105
		r.Instructions = ""
		// A client that names no version gets the bare reply of the contract.
		r.Capabilities = mcpgo.ServerCapabilities{Tools: r.Capabilities.Tools}
	}
	if r.ProtocolVersion < mcpgo.ProtocolVersion20250326 {
		r.Capabilities.Completions = nil
	}
}
