package engine

import (
	"fmt"
	"regexp"
	"strings"

	"chant/engine/spec"

	"go.yaml.in/yaml/v3"
)

// passNames are names of variables that agents get; a * at the end stands for any rest.
type passNames []string

// passed is what such a name looks like.
var passed = regexp.MustCompile(`^[^=*\s\x00]*\*?$`)

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line of a name that no
// variable can have.
func (p *passNames) UnmarshalYAML(node *yaml.Node) error {
	var names spec.StringList
	if err := names.UnmarshalYAML(node); err != nil {
		return err
	}
	for i, name := range names {
		if name == "" || !passed.MatchString(name) {
			return fmt.Errorf("line %d: pass: %q is the name of no variable (a * may stand at its end)", lineOfItem(node, i), name)
		}
	}
	*p = passNames(names)
	return nil
}

func lineOfItem(node *yaml.Node, i int) int {
	if i < len(node.Content) {
		return node.Content[i].Line
	}
	return node.Line
}

// setVariables are those that a provider sets for its agent.
type setVariables map[string]string

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line of a variable that no
// process can have, or that tells an agent of its run.
func (s *setVariables) UnmarshalYAML(node *yaml.Node) error {
	var all map[string]string
	if err := node.Decode(&all); err != nil {
		return err
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i].Value, node.Content[i+1].Value
		switch line := node.Content[i].Line; {
		case name == "" || strings.ContainsAny(name, "=\x00"):
			return fmt.Errorf("line %d: env: %q is the name of no variable", line, name)
		case strings.Contains(value, "\x00"):
			return fmt.Errorf("line %d: env: the value of %s has a NUL in it, which no variable can have", line, name)
		case strings.HasPrefix(strings.ToUpper(name), "CHANT_"):
			return fmt.Errorf("line %d: env: %s is what chant itself tells an agent of its run", line, name)
		}
	}
	*s = all
	return nil
}
