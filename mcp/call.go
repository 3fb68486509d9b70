package mcp

import (
	"context"
	"errors"
	"strings"

	"chant/engine"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// errInternal is all that a client learns of a bug of ours.
//
//lint:ignore ST1005 the text is a message of the protocol
var errInternal = errors.New("Internal error")

// handler carries out the calls of one tool.
func (s *server) handler(t tool) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		in, err := t.decode(r.Params.RawArguments)
		if err != nil {
			return mcpgo.NewToolResultError(err.Error()), nil
		}
		e, err := s.project(ctx)
		if err != nil {
			return s.failed(t, err)
		}
		e.Progress = progress(ctx, r)
		result, text, err := t.op.run(ctx, e, in)
		if err != nil {
			return s.failed(t, err)
		}
		return mcpgo.NewToolResultStructured(result, text), nil
	}
}

// noProject puts the contract's text in front of a failure to find a project,
// which may have more to say: that there is no repository, for one.
func noProject(err error) error {
	var e *engine.Error
	if !errors.As(err, &e) || e.Code != engine.NotFound || errors.Is(err, engine.ErrNotInitialized) {
		return err
	}
	return &engine.Error{Code: e.Code, Message: engine.ErrNotInitialized.Error() + "\n" + e.Message, Hint: e.Hint, Err: e}
}

// failed maps an error of the engine to the reply of a tool.
func (s *server) failed(t tool, err error) (*mcpgo.CallToolResult, error) {
	if text, ok := refused(err); ok {
		return mcpgo.NewToolResultError(text), nil
	}
	s.log.Printf("%s: %s", t.name, err)
	return nil, errInternal
}

// refused is what a model is told of an error of the engine; false for a bug of ours.
func refused(err error) (string, bool) {
	var e *engine.Error
	if !errors.As(err, &e) {
		return "", false
	}
	switch e.Code {
	case engine.Usage, engine.NotFound, engine.Invalid, engine.State, engine.Blocked, engine.Conflict,
		engine.Agent, engine.Unverified, engine.Canceled:
		return e.Message + hint(e), true
	case engine.Internal:
	}
	return "", false
}

// hint is the line that names the next command. Help about flags is no use here,
// and the contract's text for a folder without a project names its own.
func hint(e *engine.Error) string {
	if e.Hint == "" || errors.Is(e, engine.ErrNotInitialized) || strings.HasSuffix(e.Hint, "--help") {
		return ""
	}
	return "\nhint: " + e.Hint
}

// progress sends what an operation tells of itself to a client that asked for
// it; nil when it did not.
func progress(ctx context.Context, r mcpgo.CallToolRequest) func(engine.Event) {
	if r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil {
		return nil
	}
	server, n := mcpserver.ServerFromContext(ctx), 0
	return func(ev engine.Event) {
		n++
		// A client that cannot be told goes without: the work is what counts.
		_ = server.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
			"progressToken": r.Params.Meta.ProgressToken, "progress": n, "message": ev.Text,
		})
	}
}
