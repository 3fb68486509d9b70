package markdown

import "go.yaml.in/yaml/v3"

// mapping is a YAML mapping node, or nothing. It reads as a list of pairs.
type mapping struct{ node *yaml.Node }

func (m mapping) len() int {
	if m.node == nil {
		return 0
	}
	return len(m.node.Content) / 2
}

func (m mapping) key(i int) *yaml.Node   { return m.node.Content[2*i] }
func (m mapping) value(i int) *yaml.Node { return m.node.Content[2*i+1] }

// index returns the place of a key, -1 if it is not there.
func (m mapping) index(key string) int {
	for i := range m.len() {
		if m.key(i).Value == key && m.key(i).Kind == yaml.ScalarNode {
			return i
		}
	}
	return -1
}

// checkKeys refuses keys that are not scalars or appear twice.
func (m mapping) checkKeys() error {
	lines := make(map[string]int, m.len())
	for i := range m.len() {
		key := m.key(i)
		if key.Kind != yaml.ScalarNode {
			return lineError(key.Line, "a key of the front matter is not plain text")
		}
		if first, twice := lines[key.Value]; twice {
			return lineError(key.Line, "key %q appears twice, first on line %d", key.Value, first+1)
		}
		lines[key.Value] = key.Line
	}
	return nil
}
