package providers

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Custom describes a provider that a project defines itself. Command, Args and
// the values of Env may hold the placeholders {{prompt_file}}, {{spec_file}},
// {{worktree}}, {{model}}, {{spec_id}} and {{branch}}; one without a value in
// a run becomes the empty string. Exit code 0 is success.
type Custom struct {
	Name    string
	Command string // a name on the PATH, or a path; a relative one starts at the worktree
	Args    []string
	Env     map[string]string
}

// NewCustom returns the provider described by c, or a *ConfigError for a
// missing command, an unknown placeholder or an impossible variable name.
func NewCustom(c Custom) (Provider, error) {
	if strings.TrimSpace(c.Command) == "" {
		return nil, &ConfigError{c.Name, "command is missing"}
	}
	p := custom{Custom{c.Name, c.Command, slices.Clone(c.Args), maps.Clone(c.Env)}}
	for _, template := range p.templates() {
		if name, ok := unknownPlaceholder(template); ok {
			return nil, &ConfigError{c.Name, fmt.Sprintf("unknown placeholder %q", "{{"+name+"}}")}
		}
	}
	for key := range c.Env {
		if key == "" || strings.ContainsAny(key, "=\x00") {
			return nil, &ConfigError{c.Name, fmt.Sprintf("impossible environment variable %q", key)}
		}
	}
	return p, nil
}

type custom struct{ def Custom }

func (c custom) Name() string { return c.def.Name }

// templates returns every string of the definition that may hold placeholders.
func (c custom) templates() []string {
	all := append([]string{c.def.Command}, c.def.Args...)
	for _, key := range slices.Sorted(maps.Keys(c.def.Env)) {
		all = append(all, c.def.Env[key])
	}
	return all
}

// Prepare fills in the placeholders. The arguments never pass a shell, so a
// value with spaces or quotes stays one argument.
func (c custom) Prepare(in Invocation) (Launch, error) {
	path, err := lookup(c.def.Name, expand(c.def.Command, in), in.Worktree, in.Environ)
	if err != nil {
		return Launch{}, err
	}
	var args, env []string
	for _, template := range c.def.Args {
		args = append(args, expand(template, in))
	}
	for _, key := range slices.Sorted(maps.Keys(c.def.Env)) {
		env = append(env, key+"="+expand(c.def.Env[key], in))
	}
	return Launch{
		Path:       path,
		Args:       args,
		Dir:        in.Worktree,
		Env:        agentEnv(in, env...),
		NewDecoder: newLineDecoder,
	}, nil
}
