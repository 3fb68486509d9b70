package engine

import (
	"context"

	"chant/engine/run"
	"chant/providers"
)

// Listed leaves word that a client has asked for the tools of this project's MCP server.
// Within a run that is its agent: most CLIs go on without a server that did not start, and
// say so nowhere. Elsewhere nothing happens.
func (e *Engine) Listed(ctx context.Context) error {
	id := e.store.RunOf()
	if id == "" {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return wrap(err, id)
	}
	return wrap(run.Met(e.store, id, e.variable(providers.RunIDKey)), id)
}
