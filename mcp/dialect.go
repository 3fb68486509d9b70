package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"chant/engine"

	"chant/mcp/toolset"
	"chant/text"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// name is how the server introduces itself.
func (s *server) name() string {
	return cmp.Or(s.catalog.Server, serverName)
}

// read reads a message, with the names that the dialect knows: its tools are methods, too.
func (s *server) read(body []byte) (message, *rpcError) {
	m, bad := parse(body)
	if bad != nil {
		return m, s.unreadableError(bad)
	}
	if s.catalog.Dialect == nil || m.answers() || m.tools != nil {
		return m, nil
	}
	if _, ok := s.catalog.DialectTool(m.method); ok {
		m.tools = readOwnCall(m)
	} else if s.catalog.Standalone {
		m.method = toolset.Canonical(m.method)
		m.tools = readToolRequest(m)
	}
	return m, nil
}

// readOwnCall reads a request whose method is a tool.
func readOwnCall(m message) *toolRequest {
	c := &toolCall{name: m.method, args: toolset.Arguments{}, own: true}
	if m.params != nil {
		var err error
		if c.args, err = toolset.ParseArguments(m.params); err != nil {
			c.why = err.Error()
		}
	}
	return &toolRequest{call: c}
}

// unreadableError is the error for a message that cannot be read: for a dialect all of them fail to parse.
func (s *server) unreadableError(e *rpcError) *rpcError {
	if !s.catalog.Standalone || e.id != nil {
		return e
	}
	return &rpcError{Code: mcpgo.PARSE_ERROR, Message: "Parse error", Data: map[string]string{"details": strings.TrimPrefix(e.Message, "Parse error: ")}}
}

// notFoundMessage is the message for an unknown method.
func (s *server) notFoundMessage(m message) string {
	if s.catalog.Standalone {
		return "Method not found"
	}
	return "Method not found: " + m.method
}

// readLevel replaces the level of logging/setLevel by the protocol's name for it.
func (s *server) readLevel(m message) message {
	if !s.catalog.Standalone || m.method != string(mcpgo.MethodSetLogLevel) {
		return m
	}
	var given struct{ Level string }
	// What cannot be read is an unknown level.
	_ = json.Unmarshal(m.params, &given)
	// Strings can be encoded.
	m.params, _ = json.Marshal(map[string]string{"level": toolset.LogLevel(given.Level)})
	return m
}

// setDialectVersion answers with the version of the dialect, unless the client asks for another one that is known.
func (s *server) setDialectVersion(asked string, r *mcpgo.InitializeResult) {
	if r.ProtocolVersion != asked {
		r.ProtocolVersion = s.catalog.Dialect.Protocol
	}
}

// initializeResult is the result of initialize as the dialect has it; other results are as they are.
func (s *server) initializeResult(result any) any {
	r, ok := result.(mcpgo.InitializeResult)
	if !ok || !s.catalog.Standalone {
		return result
	}
	return struct {
		Version      string               `json:"protocolVersion"`
		Capabilities any                  `json:"capabilities"`
		Server       mcpgo.Implementation `json:"serverInfo"`
		Instructions string               `json:"instructions,omitempty"`
	}{r.ProtocolVersion, s.catalog.Dialect.Capabilities, r.ServerInfo, r.Instructions}
}

// isDialectCall reports whether a request calls a tool of a dialect.
func (s *server) isDialectCall(ctx context.Context, m message) bool {
	if m.tools.call == nil || s.catalog.Dialect == nil {
		return false
	}
	t, _ := s.find(ctx, m.tools.call)
	return t.Dialect != nil
}

// replyInDialect is the result of a call.
type replyInDialect struct {
	mcpgo.Result
	Content    []mcpgo.Content `json:"content"`
	Function   *functionReply  `json:"functionResponse,omitempty"` // only where no other tools are served
	Structured json.RawMessage `json:"structuredContent,omitempty"`
}

// functionReply repeats a result for clients that look for it there.
type functionReply struct {
	Name     string         `json:"name"`
	Response map[string]any `json:"response"`
}

// answerDialectCall carries out a call of a tool of a dialect, or refuses one of an unknown tool where no other tools are
// served. What fails is a JSON-RPC error.
func (s *server) answerDialectCall(ctx context.Context, m message, t toolset.Tool, modern bool) reply {
	call := m.tools.call
	refuse := func(code int, message string, data any) reply {
		return reply{Error: &rpcError{Code: code, Message: message, Data: data, id: m.id}}
	}
	switch {
	case call.name == "":
		return refuse(mcpgo.INVALID_PARAMS, "Missing tool name", nil)
	case t.Dialect == nil:
		return refuse(mcpgo.METHOD_NOT_FOUND, s.notFoundMessage(m), nil)
	case call.bare:
		call.args = toolset.Arguments{}
	case call.why != "":
		return refuse(mcpgo.INVALID_PARAMS, call.why, nil)
	}
	defer s.idle.Restart()
	result, err := s.runs(ctx, t, m.tools)
	if err != nil {
		why, _ := refusal(err, s.catalog.Tools)
		f, known := t.Dialect.Fault(t, err, why)
		if !known {
			s.log.Printf("%s: %s", t.Name, err)
			return refuse(mcpgo.INTERNAL_ERROR, errInternal.Error(), nil)
		}
		return refuse(f.Code, f.Message, f.Data)
	}
	out := replyInDialect{Content: result.Content}
	if !call.own {
		if s.catalog.Standalone {
			out.Function = &functionReply{call.name, map[string]any{"content": result.Content}}
		}
		// The protocol allows only an object here.
		if raw, err := text.JSON(result.StructuredContent, ""); err == nil && len(raw) > 0 && raw[0] == '{' {
			out.Structured = raw
		}
	}
	if modern {
		s.addProtocolFields(&out)
	}
	return reply{Result: out, ID: m.id}
}

// values are those that the hints of the dialect name now; none where there is no dialect.
func (s *server) values(ctx context.Context) (map[string][]string, error) {
	if s.catalog.Dialect == nil || s.catalog.Dialect.Values == nil {
		return nil, nil
	}
	p, err := s.projectFor(ctx, toolset.Tool{Effect: toolset.Reads, Served: toolset.Served{Dialect: s.catalog.Dialect}}, nil)
	if err != nil {
		return nil, err
	}
	return s.catalog.Dialect.Values(ctx, p)
}

// projectFor opens the project for a call of a tool with these arguments.
func (s *server) projectFor(ctx context.Context, t toolset.Tool, args toolset.Arguments) (*engine.Project, error) {
	switch {
	case t.Dialect != nil && s.o.Workspace != nil:
		return s.projectBy(ctx, func(dir string) (*engine.Project, error) {
			return s.o.Workspace(ctx, dir, t.Changes(args))
		})
	case t.ProjectOptional:
		return s.folder(ctx)
	}
	return s.project(ctx)
}
