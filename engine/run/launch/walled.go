package launch

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"chant/engine/evidence/sandbox"
	"chant/gitops/rootdir"
	"chant/providers"
)

// build creates what the bounds of the agent need, and logs whether it runs behind a wall.
func (l *Launcher) build(bounds *sandbox.Bounds, launch providers.Launch) error {
	if err := errors.Join(bounds.Prepare(), l.Sandbox().Admit(bounds, launch)); err != nil {
		return err
	}
	bounds.OnRefused(func(text string) {
		l.turn.Lock()
		defer l.turn.Unlock()
		l.logErr = errors.Join(l.logErr, l.LogLine("sandbox: "+text))
	})
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
		if err := l.LogLine("sandbox: " + l.Sandbox().Explain([]string{path}, "sandbox.write")); err != nil {
			return err
		}
	}
	return nil
}

// keepSettings reads git's settings of the worktree alone, which the agent can write, and returns a function that writes
// them back: chant's own git must not obey what an agent has set there.
func (l *Launcher) keepSettings() (restore func() error, err error) {
	own, err := l.Repo.GitDir(l.Tree)
	if err != nil {
		return func() error { return nil }, nil //nolint:nilerr // reported where the worktree is needed
	}
	const name = "config.worktree"
	var was []byte
	existed := false
	err = rootdir.In(own, func(root *os.Root) (err error) {
		was, err = rootdir.Read(root, name, mostOfSettings)
		if existed = err == nil; errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return func() error {
		return rootdir.In(own, func(root *os.Root) error {
			_, err := root.Lstat(name)
			if existed && rootdir.Holds(root, name, was) || !existed && errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			err = l.LogLine("sandbox: git's settings of the worktree were changed; they are as before the agent again")
			if existed {
				return errors.Join(err, rootdir.Write(root, name, was, 0o644))
			}
			return errors.Join(err, rootdir.RemoveAll(root, name))
		})
	}, nil
}

// mostOfSettings is more than any file with settings of git has, in bytes.
const mostOfSettings = 1 << 20
