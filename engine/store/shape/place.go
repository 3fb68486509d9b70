package shape

import "go.yaml.in/yaml/v3"

// Line is the line of the key to which these keys lead, or of the last of them that exists; 0
// if the first does not exist. A value of a list is found by its text, or by its key name.
func Line(node *yaml.Node, keys ...string) int {
	line := 0
	for _, key := range keys {
		at, value := findChild(node, key)
		if value == nil {
			return line
		}
		line, node = at.Line, value
	}
	return line
}

// Find is Line for exactly these keys: 0 if one of them does not exist.
func Find(node *yaml.Node, keys ...string) int {
	line := 0
	for _, key := range keys {
		at, value := findChild(node, key)
		if value == nil {
			return 0
		}
		line, node = at.Line, value
	}
	return line
}

// findChild finds a key of a mapping or a value of a list: its node, and its content.
func findChild(node *yaml.Node, key string) (at, value *yaml.Node) {
	if node != nil && node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	switch {
	case node == nil:
	case node.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == key {
				return node.Content[i], node.Content[i+1]
			}
		}
		return findMerged(node, key)
	case node.Kind == yaml.SequenceNode:
		for _, item := range node.Content {
			// Lists of named things, such as agents, are addressed by the name.
			if _, name := findChild(item, "name"); item.Value == key || name != nil && name.Value == key {
				return item, item
			}
		}
	}
	return nil, nil
}

// findMerged finds a key that `<<` merges into a mapping.
func findMerged(node *yaml.Node, key string) (at, value *yaml.Node) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Tag != "!!merge" {
			continue
		}
		from := node.Content[i+1]
		if from.Kind != yaml.SequenceNode {
			from = &yaml.Node{Content: []*yaml.Node{from}}
		}
		for _, each := range from.Content {
			// An alias that was not expanded could lead back to this mapping.
			if each.Kind != yaml.MappingNode {
				continue
			}
			if at, value := findChild(each, key); value != nil {
				return at, value
			}
		}
	}
	return nil, nil
}
