package spec

import (
	"fmt"

	"chant/engine/spec/fileset"

	"go.yaml.in/yaml/v3"
)

// protects refuses entries that would protect nothing.
func (c *Checks) protects(node *yaml.Node) error {
	var wrong faults
	for _, entry := range c.Protect {
		if fault := fileset.Fault(entry); fault != "" {
			wrong = append(wrong, fmt.Sprintf("line %d: protect: %q %s", lineOf(node, "protect", entry), entry, fault))
		}
	}
	return wrong.err()
}

// lineOf is where a value stands under a key of a mapping.
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
