package spec

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Command is one command that judges a whole spec, or a whole project.
type Command struct {
	Run  string `json:"run"`
	Name string `json:"name,omitempty"` // what to call it; the command when empty
	Ways `yaml:",inline"`
}

// Ways says how commands run. What is not set is as the surroundings have it: a
// command's are its spec's, a spec's are the project's.
type Ways struct {
	Timeout  Span              `yaml:"timeout" json:"timeout,omitempty"`   // of each command
	Dir      string            `yaml:"dir" json:"dir,omitempty"`           // slash-separated, from the top of the tree
	Env      map[string]string `yaml:"env" json:"env,omitempty"`           // a value that begins with "$ " is what that command prints first
	Retries  *int              `yaml:"retries" json:"retries,omitempty"`   // further tries after a failure
	Parallel *bool             `yaml:"parallel" json:"parallel,omitempty"` // side by side
}

// Checks is the key `verify`, of a spec as of config.md.
type Checks struct {
	Commands []Command     `json:"commands,omitempty"` // `commands` of a spec, `defaults` of the project
	Ways                   // of these and of the criteria's
	Protect  StringList    `json:"protect,omitempty"` // globs of files that a run must leave alone
	Pass     VariableNames `json:"pass,omitempty"`    // names of variables that commands get beside the built-in ones; of the project alone
}

// Checks is the key `verify` of the spec, empty without it.
func (s *Spec) Checks() Checks {
	if s.Fields.Verify == nil {
		return Checks{}
	}
	return *s.Fields.Verify
}

// Span is a duration as settings write it: 90s, 10m, 1h30m.
type Span time.Duration

// UnmarshalYAML reads a duration above zero; its error names the line.
func (s *Span) UnmarshalYAML(node *yaml.Node) error {
	v, err := time.ParseDuration(node.Value)
	if err != nil || v <= 0 {
		return fmt.Errorf("line %d: %q is no duration such as 90s, 10m or 1h30m", node.Line, node.Value)
	}
	*s = Span(v)
	return nil
}

// MarshalJSON writes it as it is read.
func (s Span) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%q", time.Duration(s)), nil }

// UnmarshalYAML accepts one command, a list of commands, and a mapping with
// `commands` (or `defaults`) and settings. Its errors name the line.
func (c *Checks) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode || keyIn(node, "run") {
		return decodeChecks(node, &c.Commands)
	}
	known := []string{"commands", "defaults", "protect", "pass", "timeout", "dir", "env", "retries", "parallel"}
	if err := onlyKeys(node, "verify", known); err != nil {
		return err
	}
	var plain struct {
		Commands yaml.Node     `yaml:"commands"`
		Defaults yaml.Node     `yaml:"defaults"`
		Protect  StringList    `yaml:"protect"`
		Pass     VariableNames `yaml:"pass"`
		Ways     `yaml:",inline"`
	}
	if err := node.Decode(&plain); err != nil {
		return err
	}
	c.Ways, c.Protect, c.Pass = plain.Ways, plain.Protect, plain.Pass
	if err := c.protects(node); err != nil {
		return err
	}
	for _, list := range []*yaml.Node{&plain.Defaults, &plain.Commands} {
		if err := decodeChecks(list, &c.Commands); err != nil {
			return err
		}
	}
	return plain.Ways.valid(node.Line)
}

// decodeChecks reads one command or a list of them.
func decodeChecks(node *yaml.Node, into *[]Command) error {
	items := []*yaml.Node{node}
	switch {
	case node.Kind == 0 || node.Tag == "!!null":
		return nil
	case node.Kind == yaml.SequenceNode:
		items = node.Content
	}
	for _, item := range items {
		var c Command
		if err := item.Decode(&c); err != nil {
			return err
		}
		*into = append(*into, c)
	}
	return nil
}

// UnmarshalYAML accepts a command alone, with or without a leading "$ ", and a
// mapping with `run`.
func (c *Command) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		c.Run = node.Value
	} else {
		if err := onlyKeys(node, "a command of verify", []string{"run", "name", "timeout", "dir", "env", "retries"}); err != nil {
			return err
		}
		type plain Command
		if err := node.Decode((*plain)(c)); err != nil {
			return err
		}
	}
	c.Run = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c.Run), "$ "))
	if c.Run == "" || c.Run == "$" {
		return fmt.Errorf("line %d: a command of verify is empty", node.Line)
	}
	return c.valid(node.Line)
}

// valid checks what YAML cannot.
func (w Ways) valid(line int) error {
	if w.Dir != "" && !Inside(w.Dir) {
		return fmt.Errorf("line %d: dir %q leaves the repository", line, w.Dir)
	}
	if w.Retries != nil && (*w.Retries < 0 || *w.Retries > 10) {
		return fmt.Errorf("line %d: retries is a number from 0 to 10", line)
	}
	for name := range w.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return fmt.Errorf("line %d: %q is no name of a variable", line, name)
		}
	}
	return nil
}

// Inside reports whether a slash-separated path stays below where it begins.
func Inside(dir string) bool {
	clean := path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	return !path.IsAbs(clean) && clean != ".." && !strings.HasPrefix(clean, "../") && !strings.Contains(clean, ":")
}

func keyIn(node *yaml.Node, key string) bool {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return true
		}
	}
	return false
}

func onlyKeys(node *yaml.Node, what string, known []string) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: %s is a text, a list or a mapping", node.Line, what)
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if key := node.Content[i]; !slices.Contains(known, key.Value) {
			return fmt.Errorf("line %d: %s has no key %q (%s)", key.Line, what, key.Value, strings.Join(known, ", "))
		}
	}
	return nil
}

// Over lays the settings of something inside over those around it.
func (w Ways) Over(around Ways) Ways {
	out := around
	if w.Timeout != 0 {
		out.Timeout = w.Timeout
	}
	if w.Dir != "" {
		out.Dir = w.Dir
	}
	if w.Retries != nil {
		out.Retries = w.Retries
	}
	if w.Parallel != nil {
		out.Parallel = w.Parallel
	}
	if len(w.Env) > 0 {
		out.Env = map[string]string{}
		for _, from := range []map[string]string{around.Env, w.Env} {
			for k, v := range from {
				out.Env[k] = v
			}
		}
	}
	return out
}
