package providers

import (
	"path/filepath"
	"strings"
)

// Shell returns the provider that runs the spec's own script, with no model at
// all. A line that fails ends the script, and exit code 0 is success.
func Shell() Provider { return shell{} }

type shell struct{}

func (shell) Name() string { return "shell" }

// Prepare writes the script into the state folder, so that neither the
// worktree nor the argument list carries it.
func (s shell) Prepare(in Invocation) (Launch, error) {
	if strings.TrimSpace(in.Script) == "" {
		return Launch{}, &ConfigError{s.Name(), "spec has no ```sh block under a heading \"Script\""}
	}
	path, err := lookup(s.Name(), "sh", in.Worktree, in.Environ)
	if err != nil {
		return Launch{}, err
	}
	script := filepath.Join(in.StateDir, "script.sh")
	if err := writeState(script, []byte(strings.TrimRight(in.Script, "\n")+"\n"), 0o700); err != nil {
		return Launch{}, err
	}
	return Launch{
		Path:       path,
		Args:       []string{"-e", script},
		Dir:        in.Worktree,
		Env:        agentEnv(in),
		NewDecoder: newLineDecoder,
	}, nil
}
