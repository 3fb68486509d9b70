package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"chant/engine/format/lotar"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// originalKey is the key of specs and sprints for values of lotar's file that they would give back in another form.
const originalKey = "lotar"

// original is a value of lotar's file: a mapping with the keys value and replaces.
type original struct {
	value    *yaml.Node // nil: the file did not have the key
	replaces string     // digest of the value that the spec gives, "" if it gives none
}

func (o original) node() *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if o.value != nil {
		out.Content = append(out.Content, wordNode("value"), o.value)
	}
	if o.replaces != "" {
		out.Content = append(out.Content, wordNode("replaces"), wordNode(o.replaces))
	}
	return out
}

func wordNode(word string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: word}
}

// withOriginals returns a document with the key `lotar` for all values in which root, lotar's file, differs from now,
// what would be exported. insteadOf has digests of what keys depend on that now does not have.
func withOriginals(doc *markdown.Document, root, now *yaml.Node, insteadOf map[string]string) (*markdown.Document, error) {
	kept := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, name := range keysOf(root, now) {
		have, want := digest(valueOf(now, name)), valueOf(root, name)
		if have == digest(want) {
			continue
		}
		if other, has := insteadOf[name]; has {
			have = other
		}
		kept.Content = append(kept.Content, wordNode(name), original{want, have}.node())
	}
	if len(kept.Content) == 0 {
		return doc, nil
	}
	return doc.Apply(markdown.Set(originalKey, kept))
}

// restoreOriginals returns what to export: the values of now, with those of lotar's file where the document still says what it
// said when it was imported. Error: *markdown.SyntaxError.
func restoreOriginals(doc *markdown.Document, now *yaml.Node, insteadOf map[string]string) (*yaml.Node, error) {
	var kept yaml.Node
	if found, err := doc.Get(originalKey, &kept); err != nil || !found {
		return now, err
	}
	values := map[string]*yaml.Node{}
	names := keysOf(now, nil)
	for _, name := range keysOf(&kept) {
		was := valueOf(&kept, name)
		current := digest(valueOf(now, name))
		if other, has := insteadOf[name]; has {
			current = other
		}
		// The spec says something else since the import, so an edit in chant takes precedence.
		if replaces := valueOf(was, "replaces"); current != textOf(replaces) {
			continue
		}
		values[name] = valueOf(was, "value")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	// In the order in which lotar writes keys.
	slices.SortStableFunc(names, func(a, b string) int { return lotar.CompareNames(a, b) })
	for _, name := range names {
		value, replaced := values[name]
		if !replaced {
			value = valueOf(now, name)
		}
		if value != nil {
			out.Content = append(out.Content, wordNode(name), value)
		}
	}
	return out, nil
}

func textOf(node *yaml.Node) string {
	if node == nil {
		return ""
	}
	return node.Value
}

// keysOf lists the keys of two mappings, each once.
func keysOf(nodes ...*yaml.Node) []string {
	var out []string
	for _, node := range nodes {
		for i := 0; node != nil && i+1 < len(node.Content); i += 2 {
			if name := node.Content[i].Value; !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// valueOf returns the value of a key, nil for none.
func valueOf(node *yaml.Node, name string) *yaml.Node {
	for i := 0; node != nil && i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i+1]
		}
	}
	return nil
}

// digest returns a short hash of a value, in which its style does not count; "" for none.
func digest(node *yaml.Node) string {
	if node == nil {
		return ""
	}
	src, err := json.Marshal(jsonValue(node, 0))
	if err != nil {
		return "?"
	}
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:6])
}

// maxDepth limits how deep values are compared, since aliases can make them endless.
const maxDepth = 50

// jsonValue returns a value for JSON. Times are texts, as they are for lotar.
func jsonValue(node *yaml.Node, depth int) any {
	if depth > maxDepth {
		return nil
	}
	switch node.Kind {
	case yaml.AliasNode:
		return jsonValue(node.Alias, depth+1)
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			out[node.Content[i].Value] = jsonValue(node.Content[i+1], depth+1)
		}
		return out
	case yaml.SequenceNode:
		out := []any{}
		for _, item := range node.Content {
			out = append(out, jsonValue(item, depth+1))
		}
		return out
	}
	// Times are texts for lotar.
	if tag := node.ShortTag(); tag == "!!str" || tag == "!!timestamp" {
		return node.Value
	}
	var value any
	if err := node.Decode(&value); err != nil {
		return node.Value
	}
	return value
}

// textDigest returns a short hash of a document without the key `lotar`.
func textDigest(doc *markdown.Document) string {
	// The digest is part of that key, so it cannot depend on it.
	without, err := doc.Apply(markdown.Unset(originalKey))
	if err != nil {
		return "?"
	}
	sum := sha256.Sum256(without.Bytes())
	return hex.EncodeToString(sum[:6])
}
