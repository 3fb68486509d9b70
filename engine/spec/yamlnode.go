package spec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// faults collects the mistakes in several values, each with its line. They are returned as one *yaml.TypeError: the
// YAML decoder collects errors of that type, and stops at any other error.
type faults []string

// add adds an error to the list; of a *yaml.TypeError, each of its errors. It ignores nil.
func (f *faults) add(err error) {
	// An error of this type holds one message for each mistake.
	if several, ok := errors.AsType[*yaml.TypeError](err); ok {
		*f = append(*f, several.Errors...)
	} else if err != nil {
		*f = append(*f, err.Error())
	}
}

func (f faults) err() error {
	if len(f) == 0 {
		// A typed nil in an error would count as an error.
		return nil
	}
	return &yaml.TypeError{Errors: f}
}

func hasKey(node *yaml.Node, key string) bool { return valueOf(node, key) != nil }

// valueOf returns the value of a key in a mapping, nil without that key.
func valueOf(node *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

func checkKeys(node *yaml.Node, what string, known []string) error {
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

// lineOf returns the line of a value below a key of a mapping, or the line of the mapping if the value is not there.
func lineOf(node *yaml.Node, key, value string) int {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value != key {
			continue
		}
		for _, item := range append(node.Content[i+1].Content, node.Content[i+1]) {
			if item.Value == value {
				return item.Line
			}
		}
	}
	return node.Line
}

func lineOfItem(node *yaml.Node, i int) int {
	if i < len(node.Content) {
		return node.Content[i].Line
	}
	return node.Line
}
