package setup

import (
	"context"
	"path/filepath"

	"chant/engine/verify/gate"
)

// checkHooks refuses hooks that cannot be installed, before anything is made.
func (i *initializer) checkHooks(ctx context.Context) error {
	if !i.in.Hooks {
		return nil
	}
	return gate.HooksCheck(ctx, i.repo.Home(), i.Options, gate.HooksInput{})
}

// installHooks installs the hooks, and adds those to the result that did not call chant before.
func (i *initializer) installHooks(ctx context.Context) error {
	if !i.in.Hooks {
		return nil
	}
	before, err := gate.HooksStatus(ctx, i.repo.Home(), i.Options, gate.HooksInput{})
	if err != nil {
		return err
	}
	after, err := gate.HooksInstall(ctx, i.repo.Home(), i.Options, gate.HooksInput{})
	if err != nil {
		return err
	}
	// By the state before, since installing again changes nothing.
	for at, h := range after.Hooks {
		path := filepath.FromSlash(h.Path)
		if below, err := filepath.Rel(i.repo.Home(), path); err == nil && filepath.IsLocal(below) {
			path = below
		}
		if path = filepath.ToSlash(path); before.Hooks[at].State == gate.HookActive {
			i.result.Left = append(i.result.Left, path)
		} else {
			i.result.Made = append(i.result.Made, path)
		}
	}
	i.warnings = append(i.warnings, after.Notes...)
	return nil
}
