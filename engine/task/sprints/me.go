package sprints

import (
	"context"

	"chant/engine"
	"chant/engine/task/tasks"
)

// callerName returns the person that @me means, "" if unknown.
func callerName(ctx context.Context, p *engine.Project) (string, error) {
	who, err := tasks.Whoami(ctx, p, tasks.WhoamiInput{})
	if err != nil || who.User == nil {
		return "", err
	}
	return *who.User, nil
}
