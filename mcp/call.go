package mcp

import (
	"context"
	"errors"

	"chant/engine"

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
