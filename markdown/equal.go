package markdown

import (
	"reflect"
	"slices"

	"go.yaml.in/yaml/v3"
)

// readsAs reports whether a node of the file already gives the wanted value.
func readsAs(have, want *yaml.Node) bool {
	if same(have, want) {
		return true
	}
	// Numbers can be written in several ways, so values are compared as well.
	var a, b any
	return timesAsText(have, want).Decode(&a) == nil && want.Decode(&b) == nil && reflect.DeepEqual(a, b)
}

// timesAsText returns a node with its plain times as strings where another node has a string in the same place: a plain time
// decodes into a string as it is written.
func timesAsText(have, want *yaml.Node) *yaml.Node {
	out := *have
	out.Content = slices.Clone(have.Content)
	switch {
	case have.Kind != want.Kind:
	case have.Kind == yaml.ScalarNode && have.ShortTag() == "!!timestamp" && want.ShortTag() == "!!str":
		out.Tag = "!!str"
	case have.Kind == yaml.SequenceNode && len(have.Content) == len(want.Content):
		for i := range out.Content {
			out.Content[i] = timesAsText(have.Content[i], want.Content[i])
		}
	case have.Kind == yaml.MappingNode:
		keys, other := mapping{have}, mapping{want}
		for i := range keys.len() {
			if at := other.index(keys.key(i).Value); at >= 0 {
				out.Content[2*i+1] = timesAsText(keys.value(i), other.value(at))
			}
		}
	}
	return &out
}

// keysExcept returns the keys in order, one left out.
func (m mapping) keysExcept(skip int) []string {
	var keys []string
	for i := range m.len() {
		if i != skip {
			keys = append(keys, m.key(i).Value)
		}
	}
	return keys
}

// sameExcept reports whether two mappings with the same keys have the same values, one of each left out.
func sameExcept(a mapping, skipA int, b mapping, skipB int) bool {
	seen := make(pairs)
	j := 0
	for i := range a.len() {
		if i == skipA {
			continue
		}
		if j == skipB {
			j++
		}
		if !seen.same(a.value(i), b.value(j)) {
			return false
		}
		j++
	}
	return true
}

// same reports whether two nodes have the same shape, tags and text. Style and comments do not count.
func same(a, b *yaml.Node) bool { return make(pairs).same(a, b) }

// pairs are the nodes already being compared: an alias may lead back into its own anchor, and many aliases
// may lead to one.
type pairs map[[2]*yaml.Node]bool

func (seen pairs) same(a, b *yaml.Node) bool {
	if a.Kind == yaml.AliasNode && b.Kind == yaml.AliasNode {
		pair := [2]*yaml.Node{a.Alias, b.Alias}
		// An alias may lead back into its own anchor, which would never end.
		if seen[pair] {
			return true
		}
		seen[pair] = true
		return seen.same(a.Alias, b.Alias)
	}
	if a.Kind != b.Kind || a.Value != b.Value || a.ShortTag() != b.ShortTag() || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !seen.same(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
