package commands

import (
	"context"
	"errors"

	"chant/engine"
	"chant/gitops/lockfile"
)

// withLock calls a function while no other process of this project writes commands or registries.
func withLock(ctx context.Context, p *engine.Project, what string, act func() error) error {
	path, err := engine.LockFor(p, "commands")
	if err != nil {
		return engine.Wrap(err, "")
	}
	lock, err := lockfile.AcquireWait(ctx, path, what)
	if err != nil {
		return engine.Wrap(err, "")
	}
	return engine.Wrap(errors.Join(act(), lock.Release()), "")
}
