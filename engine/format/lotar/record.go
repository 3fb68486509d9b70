package lotar

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chant/engine/spec/taskfields"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// record reads the keys of one file and keeps the first error.
type record struct {
	file string
	root *yaml.Node
	err  error
}

func (r *record) fail(at *yaml.Node, format string, args ...any) {
	// Only the first fault is reported: the others mostly follow from it.
	if r.err == nil {
		r.err = &markdown.SyntaxError{Path: r.file, Line: max(at.Line, 1), Msg: fmt.Sprintf(format, args...)}
	}
}

// value returns the value of a key, nil for none.
func (r *record) value(key string) *yaml.Node {
	i := indexOf(r.root, key)
	if i < 0 {
		return nil
	}
	node := r.root.Content[i+1]
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" {
		return nil
	}
	return node
}

// text reads a single value.
func (r *record) text(key string) string {
	node := r.value(key)
	if node == nil {
		return ""
	}
	if node.Kind != yaml.ScalarNode {
		r.fail(node, "%s: a list or a mapping is not a single value", key)
	}
	return node.Value
}

// list reads a list of texts.
func (r *record) list(key string) []string {
	node := r.value(key)
	if node == nil {
		return nil
	}
	var out []string
	if node.Kind != yaml.SequenceNode {
		r.fail(node, "%s: this is not a list", key)
		return nil
	}
	for _, item := range node.Content {
		if item.Kind == yaml.AliasNode {
			item = item.Alias
		}
		if item.Kind != yaml.ScalarNode {
			r.fail(item, "%s: an item is not a single text", key)
			return nil
		}
		out = append(out, item.Value)
	}
	return out
}

// numbers reads a list of numbers from 1, each of which may be a text such as "#3".
func (r *record) numbers(key string) []int {
	var out []int
	for _, item := range r.list(key) {
		n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(item), "#"))
		if err != nil || n < 1 {
			r.fail(r.value(key), "%s: %q is not the number of a sprint", key, item)
			return nil
		}
		out = append(out, n)
	}
	return out
}

// decode reads a value of a fixed form.
func (r *record) decode(key string, into any) {
	node := r.value(key)
	if node == nil || len(node.Content) == 0 && node.Kind != yaml.ScalarNode {
		return
	}
	err := node.Decode(into)
	if err == nil {
		return
	}
	at := *node
	broken := syntaxError(r.file, err)
	if syntax, ok := errors.AsType[*markdown.SyntaxError](broken); ok {
		at.Line = max(syntax.Line, node.Line)
		r.fail(&at, "%s: %s", key, syntax.Msg)
	}
}

// references reads references of the known kinds.
func (r *record) references(key string) []taskfields.Reference {
	node := r.value(key)
	if node == nil {
		return nil
	}
	if node.Kind != yaml.SequenceNode {
		r.fail(node, "%s: this is not a list", key)
		return nil
	}
	var out []taskfields.Reference
	for _, item := range node.Content {
		for i := 0; i+1 < len(item.Content) && item.Kind == yaml.MappingNode; i += 2 {
			// A reference of an unknown kind is one of a newer lotar, and stays in the mapping.
			if kind := item.Content[i].Value; slices.Contains(taskfields.ReferenceKinds(), kind) && item.Content[i+1].Kind == yaml.ScalarNode {
				out = append(out, taskfields.Reference{Kind: kind, Value: item.Content[i+1].Value})
			}
		}
	}
	return out
}
