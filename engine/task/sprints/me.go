package sprints

import (
	"context"

	"chant/engine"
	"chant/engine/task/tasks"
)

// me returns the person that @me means, "" if unknown.
func me(ctx context.Context, p *engine.Project) (string, error) {
	who, err := tasks.Whoami(ctx, p, tasks.WhoamiInput{})
	if err != nil || who.User == nil {
		return "", err
	}
	return *who.User, nil
}
