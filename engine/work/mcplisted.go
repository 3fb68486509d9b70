package work

import (
	"context"

	"chant/engine"
	"chant/engine/run/launch"
	"chant/providers"
)

// Listed leaves word that a client has asked for the tools of this project's MCP server.
// Within a run that is its agent: most CLIs go on without a server that did not start, and
// say so nowhere. Elsewhere nothing happens.
func Listed(ctx context.Context, p *engine.Project) error {
	id := p.Store.RunOf()
	if id == "" {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return engine.Wrap(err, id)
	}
	return engine.Wrap(launch.Met(p.Store, id, engine.Variable(p, providers.RunIDKey)), id)
}
