package mcp

import (
	"context"
	"errors"

	"chant/engine"
	"chant/mcp/toolset"
	"chant/providers/text"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// errInternal is all that a client learns of a bug of ours.
//
//lint:ignore ST1005 the text is a message of the protocol
var errInternal = errors.New("Internal error")

// noProject puts the contract's text in front of a failure to find a project,
// which may name a further reason, such as a missing repository.
func noProject(err error) error {
	var e *engine.Error
	if !errors.As(err, &e) || e.Code != engine.NotFound || errors.Is(err, engine.ErrNotInitialized) {
		return err
	}
	return &engine.Error{Code: e.Code, Message: engine.ErrNotInitialized.Error() + "\n" + e.Message, Next: e.Next, Err: e}
}

// refused is the text of an error that a model can do something about: bad arguments and the refusals of the engine;
// false for a bug of ours. tools are those that are offered.
func refused(err error, tools []toolset.Tool) (string, bool) {
	if bad, ok := errors.AsType[*toolset.ArgumentError](err); ok {
		return bad.Error(), true
	}
	var e *engine.Error
	if !errors.As(err, &e) {
		return "", false
	}
	switch e.Code {
	case engine.Usage, engine.NotFound, engine.Invalid, engine.State, engine.Blocked, engine.Conflict,
		engine.Agent, engine.Unverified, engine.Canceled:
		return e.Message + nextLine(e, tools), true
	case engine.Internal:
	}
	return "", false
}

// nextLine is the line that names the next step: the call of one of these tools, else a command. Help about flags is of
// no use here, and the contract's text for a folder without a project names its own step.
func nextLine(e *engine.Error, tools []toolset.Tool) string {
	if e.Next.IsZero() || errors.Is(e, engine.ErrNotInitialized) || e.Next.AsksHelp() {
		return ""
	}
	for _, t := range tools {
		if args, ok := t.Taking(e.Next); ok {
			return "\nnext: call " + t.Name + with(args)
		}
	}
	return "\nhint: " + e.Next.String()
}

// with is how a text names the arguments of a call.
func with(args toolset.Arguments) string {
	out, err := text.JSON(args, "")
	if err != nil || len(args) == 0 {
		return ""
	}
	return " with " + string(out)
}

// progress returns what sends the progress of an operation to a client that asked for it; nil when it did not.
func (s *server) progress(ctx context.Context, meta *mcpgo.Meta) func(engine.Event) {
	if meta == nil || meta.ProgressToken == nil {
		return nil
	}
	n := 0
	return func(ev engine.Event) {
		n++
		// A client that cannot be reached goes without: the work is what counts.
		_ = s.core.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
			"progressToken": meta.ProgressToken, "progress": n, "message": ev.Text,
		})
	}
}
