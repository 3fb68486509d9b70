package spec

import (
	"slices"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// MissingKeys lists, in their order and each once, the required front-matter keys
// that a document does not have or has with nothing in them: null, an empty text,
// an empty list or mapping. Any key may be required, known to chant or not.
func MissingKeys(doc *markdown.Document, required []string) []string {
	var out []string
	for _, key := range required {
		var node yaml.Node
		found, err := doc.Get(key, &node)
		if (err != nil || !found || empty(&node)) && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// empty reports whether a value says nothing.
func empty(node *yaml.Node) bool {
	switch node.Kind {
	case yaml.AliasNode:
		return empty(node.Alias)
	case yaml.ScalarNode:
		return node.Value == "" || node.Tag == "!!null"
	}
	return len(node.Content) == 0
}
