package spec

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
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
	Require  bool          `json:"require,omitempty"` // a spec with nothing to verify does not land; of the project alone
}

// Checks is the key `verify` of the spec, empty without it.
func (s *Spec) Checks() Checks {
	if s.Fields.Verify == nil {
		return Checks{}
	}
	return *s.Fields.Verify
}

// OwnChecks reports whether the spec itself has a criterion or a command, whatever its project has.
func (s *Spec) OwnChecks() bool {
	return len(s.Checks().Commands) > 0 || s.Doc != nil && len(Criteria(s.Doc)) > 0
}

// Span is a duration as settings write it: 90s, 10m, 1h30m.
type Span time.Duration

// UnmarshalYAML reads a duration above zero; its error names the line.
func (s *Span) UnmarshalYAML(node *yaml.Node) error {
	v, err := time.ParseDuration(node.Value)
	if err != nil || v <= 0 {
		return faults{fmt.Sprintf("line %d: invalid duration %q (use 90s, 10m or 1h30m)", node.Line, node.Value)}.err()
	}
	*s = Span(v)
	return nil
}

// MarshalJSON writes it as it is read.
func (s Span) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%q", time.Duration(s)), nil }

// UnmarshalYAML accepts one command, a list of commands, and a mapping with
// `commands` (or `defaults`) and settings. Its error names everything that is wrong, by line.
func (c *Checks) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode || keyIn(node, "run") {
		return decodeChecks(node, &c.Commands)
	}
	var wrong faults
	wrong.add(onlyKeys(node, "verify", keysIn("verify")))
	wrong.add(node.Decode(&struct{}{})) // keys that stand twice
	var commands, defaults yaml.Node
	into := map[string]any{
		"commands": &commands, "defaults": &defaults, "protect": &c.Protect, "pass": &c.Pass, "require": &c.Require,
		"timeout": &c.Timeout, "dir": &c.Dir, "env": &c.Env, "retries": &c.Retries, "parallel": &c.Parallel,
	}
	for i := 0; i+1 < len(node.Content); i += 2 { // one by one: a value that does not fit hides no other
		if at, known := into[node.Content[i].Value]; known {
			wrong.add(node.Content[i+1].Decode(at))
		}
	}
	for _, name := range c.Pass {
		if ofChant(name) {
			wrong = append(wrong, fmt.Sprintf("line %d: pass: chant itself sets %s for each run", lineOf(node, "pass", name), name))
		}
	}
	wrong.add(c.protects(node))
	for _, list := range []*yaml.Node{&defaults, &commands} {
		wrong.add(decodeChecks(list, &c.Commands))
	}
	wrong.add(c.Ways.valid(node))
	return wrong.err()
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
	var wrong faults
	for _, item := range items {
		var c Command
		wrong.add(item.Decode(&c))
		*into = append(*into, c)
	}
	return wrong.err()
}

// UnmarshalYAML accepts a command alone, with or without a leading "$ ", and a
// mapping with `run`.
func (c *Command) UnmarshalYAML(node *yaml.Node) error {
	var wrong faults
	if node.Kind == yaml.ScalarNode {
		c.Run = node.Value
	} else {
		wrong.add(onlyKeys(node, "a command of verify", keysIn("verify.commands")))
		if node.Kind != yaml.MappingNode {
			return wrong.err()
		}
		type plain Command
		wrong.add(node.Decode((*plain)(c)))
	}
	c.Run = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c.Run), "$ "))
	if run := valueOf(node, "run"); (c.Run == "" || c.Run == "$") && (run == nil || run.Kind == yaml.ScalarNode) {
		wrong = append(wrong, fmt.Sprintf("line %d: a command of verify is empty", node.Line))
	}
	wrong.add(c.valid(node))
	return wrong.err()
}

// valid checks what YAML cannot.
func (w Ways) valid(node *yaml.Node) error {
	var wrong faults
	if w.Dir != "" && !Inside(w.Dir) {
		wrong = append(wrong, fmt.Sprintf("line %d: dir %q leaves the repository", lineOf(node, "dir", w.Dir), w.Dir))
	}
	if w.Retries != nil && (*w.Retries < 0 || *w.Retries > 10) {
		wrong = append(wrong, fmt.Sprintf("line %d: retries is a number from 0 to 10", lineOf(node, "retries", strconv.Itoa(*w.Retries))))
	}
	for _, name := range slices.Sorted(maps.Keys(w.Env)) {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			wrong = append(wrong, fmt.Sprintf("line %d: invalid environment variable name %q", lineOf(node, "env", name), name))
		}
		if ofChant(name) {
			wrong = append(wrong, fmt.Sprintf("line %d: env: chant itself sets %s for each run", lineOf(node, "env", name), name))
		}
	}
	return wrong.err()
}

// Inside reports whether a slash-separated path stays below where it begins.
func Inside(dir string) bool {
	clean := path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	return !path.IsAbs(clean) && clean != ".." && !strings.HasPrefix(clean, "../") && !strings.Contains(clean, ":")
}

func keyIn(node *yaml.Node, key string) bool { return valueOf(node, key) != nil }

// valueOf is what stands under a key of a mapping, nil where the key does not.
func valueOf(node *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
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
