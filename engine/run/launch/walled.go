package launch

import (
	"errors"
	"slices"

	"chant/engine/sandbox"
	"chant/providers"
)

// build creates what the bounds of the agent need, and logs whether it runs behind a wall.
func (l *Launcher) build(bounds *sandbox.Bounds, launch providers.Launch) error {
	if err := errors.Join(bounds.Prepare(), l.Sandbox().Admit(bounds, launch)); err != nil {
		return err
	}
	return l.LogLine("sandbox: " + l.Sandbox().State().String())
}

// mostRefused limits the paths that are kept of what the wall has refused.
const mostRefused = 20

// noteRefused logs each path, once, that the agent's output names as refused by the wall.
func (l *Launcher) noteRefused(bounds *sandbox.Bounds, ev providers.Event) error {
	if ev.Kind == providers.Spending || len(l.Refused) >= mostRefused {
		return nil
	}
	for _, path := range bounds.Refused(ev.Text) {
		if slices.Contains(l.Refused, path) {
			continue
		}
		l.Refused = append(l.Refused, path)
		if err := l.LogLine("sandbox: " + sandbox.Explain([]string{path}, "sandbox.write")); err != nil {
			return err
		}
	}
	return nil
}
