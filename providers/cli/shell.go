package cli

import (
	"path/filepath"
	"strings"

	"chant/providers"
)

// ShellName is the name of the provider that runs the script of a spec.
const ShellName = "shell"

// Shell returns the provider that runs the spec's own script, with no model at
// all. A line that fails ends the script, and exit code 0 is success.
func Shell() providers.Provider { return shell{} }

type shell struct{}

func (shell) Name() string { return ShellName }

// ReportsUsage implements providers.UsageReporter: there is no model.
func (shell) ReportsUsage() bool { return true }

// Prepare writes the script into the state folder, so that neither the
// worktree nor the argument list carries it.
func (s shell) Prepare(in providers.Invocation) (providers.Launch, error) {
	if strings.TrimSpace(in.Script) == "" {
		return providers.Launch{}, &providers.ConfigError{Provider: s.Name(), Msg: "spec has no ```sh block under a heading \"Script\""}
	}
	path, err := find(s.Name(), "sh", in)
	if err != nil {
		return providers.Launch{}, err
	}
	script := filepath.Join(in.StateDir, "script.sh")
	if err := writeState(script, []byte(strings.TrimRight(in.Script, "\n")+"\n"), 0o700); err != nil {
		return providers.Launch{}, err
	}
	return providers.Launch{
		Path: path,
		// With -e, a line that fails ends the script.
		Args:       []string{"-e", script},
		Dir:        in.Folder(),
		Env:        providers.AgentEnv(in, nil),
		NewDecoder: providers.Lines,
	}, nil
}
