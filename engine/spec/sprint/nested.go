package sprint

import (
	"fmt"
	"slices"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// value is one key of a nested mapping: a text, a number, or values of its own; empty ones are left out.
type value struct {
	key string
	v   any
}

// nestedEdit returns the edit that gives a mapping of the front matter its values, or none if it has them.
func nestedEdit(doc *markdown.Document, key string, values []value) ([]markdown.Edit, error) {
	node := &yaml.Node{}
	had, err := doc.Get(key, node)
	if err != nil {
		return nil, err
	}
	for node.Alias != nil {
		node = node.Alias
	}
	if node.Kind != yaml.MappingNode {
		node = &yaml.Node{Kind: yaml.MappingNode}
	}
	// Aliases can repeat a mapping many times.
	left := maxNodes
	// An alias may belong to another key, so the values are written without it.
	if node = plainCopy(node, &left); node == nil {
		return nil, fmt.Errorf("key %q of %q: %w", key, doc.Path(), markdown.ErrNotEditable)
	}
	// An unchanged mapping keeps its comments and its form.
	if changed := setValues(node, values); !changed {
		return nil, nil
	}
	if len(node.Content) == 0 {
		// There is no key to remove.
		if !had {
			return nil, nil
		}
		return []markdown.Edit{markdown.Unset(key)}, nil
	}
	return []markdown.Edit{markdown.Set(key, node)}, nil
}

// setValues writes values into a mapping and reports whether one differed.
func setValues(node *yaml.Node, values []value) bool {
	changed := false
	for _, v := range values {
		changed = setValue(node, v) || changed
	}
	return changed
}

func setValue(node *yaml.Node, v value) bool {
	at := -1
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == v.key {
			at = i
			break
		}
	}
	want := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str"}
	switch of := v.v.(type) {
	case string:
		want.Value = of
		if plain := (&yaml.Node{Kind: yaml.ScalarNode, Value: of}); plain.ShortTag() == "!!timestamp" {
			// Such a value is written without quotes.
			want.Tag = "!!timestamp"
		}
	case int:
		want.Tag = "!!int"
		if of != 0 {
			want.Value = fmt.Sprint(of)
		}
	case []value:
		if at >= 0 && node.Content[at+1].Kind == yaml.MappingNode {
			inner := node.Content[at+1]
			changed := setValues(inner, of)
			// An empty mapping says nothing.
			if len(inner.Content) == 0 {
				node.Content = slices.Delete(node.Content, at, at+2)
				return true
			}
			return changed
		}
		want = &yaml.Node{Kind: yaml.MappingNode}
		setValues(want, of)
	}
	switch empty := want.Value == "" && len(want.Content) == 0; {
	case empty && at < 0:
		return false
	case empty:
		node.Content = slices.Delete(node.Content, at, at+2)
	case at < 0:
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v.key}, want)
	case want.Kind == yaml.ScalarNode && node.Content[at+1].Kind == yaml.ScalarNode && node.Content[at+1].Value == want.Value:
		return false
	default:
		node.Content[at+1] = want
	}
	return true
}

// maxNodes bounds the copy of a mapping, in which aliases may repeat others.
const maxNodes = 10_000

// plainCopy copies a tree without comments and with aliases resolved; left counts down the nodes that it may copy, and
// the copy is nil if they do not suffice.
func plainCopy(node *yaml.Node, left *int) *yaml.Node {
	if *left--; *left < 0 {
		return nil
	}
	if node.Alias != nil {
		return plainCopy(node.Alias, left)
	}
	out := &yaml.Node{Kind: node.Kind, Style: node.Style, Tag: node.Tag, Value: node.Value}
	for _, child := range node.Content {
		copied := plainCopy(child, left)
		if copied == nil {
			return nil
		}
		out.Content = append(out.Content, copied)
	}
	return out
}
