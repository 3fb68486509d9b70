package config

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// setVariables are those that a provider sets for its agent.
type setVariables map[string]string

// UnmarshalYAML implements yaml.Unmarshaler; its error names each variable that no process
// can have, or that tells an agent of its run, with its line.
func (s *setVariables) UnmarshalYAML(node *yaml.Node) error {
	var all map[string]string
	if err := node.Decode(&all); err != nil {
		return err
	}
	var wrong []string
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i].Value, node.Content[i+1].Value
		switch line := node.Content[i].Line; {
		case name == "" || strings.ContainsAny(name, "=\x00"):
			wrong = append(wrong, fmt.Sprintf("line %d: env: invalid environment variable name %q", line, name))
		case strings.Contains(value, "\x00"):
			wrong = append(wrong, fmt.Sprintf("line %d: env: the value of %s has a NUL in it, which no variable can have", line, name))
		case strings.HasPrefix(strings.ToUpper(name), "CHANT_"):
			wrong = append(wrong, fmt.Sprintf("line %d: env: chant itself sets %s for each run", line, name))
		}
	}
	*s = all
	return allWrong(wrong)
}
