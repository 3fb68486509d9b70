package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// toNode turns a value into YAML, with block style wherever the style is free. It goes through text in flow
// style: there the YAML package writes strings of several lines in quotes, while its block scalars do not
// always read back.
func toNode(value any) (*yaml.Node, error) {
	// In flow style the YAML package quotes strings of several lines, while its block scalars do not always read back.
	text, err := encodeRoot(struct {
		Value any `yaml:"k,flow"`
	}{value})
	if err != nil {
		return nil, err
	}
	m, err := decodeMapping(text)
	if err != nil {
		return nil, err
	}
	return clearFlowStyle(m.value(0)), nil
}

// clearFlowStyle takes the flow style off a tree.
func clearFlowStyle(node *yaml.Node) *yaml.Node {
	node.Style &^= yaml.FlowStyle
	for _, child := range node.Content {
		clearFlowStyle(child)
	}
	return node
}

// styleLike returns the wanted value in the style of the one it replaces, as far as the value allows.
func styleLike(want, old *yaml.Node) *yaml.Node {
	node := *want
	lines := strings.Contains(node.Value, "\n")
	const block = yaml.LiteralStyle | yaml.FoldedStyle
	switch {
	case node.Kind != yaml.ScalarNode:
		node.Style = old.Style & yaml.FlowStyle
	// A number or a boolean in quotes would become a text.
	case node.ShortTag() != "!!str":
	case lines && old.Style&block != 0:
		node.Style = yaml.LiteralStyle
	case lines:
		node.Style = yaml.DoubleQuotedStyle
	case old.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		node.Style = old.Style & (yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle)
	}
	return &node
}

// quoteStrings returns the wanted value with every string in double quotes, the one style that holds any text.
func quoteStrings(want *yaml.Node) *yaml.Node {
	node := *want
	if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!str" {
		node.Style = yaml.DoubleQuotedStyle
	}
	node.Content = make([]*yaml.Node, len(want.Content))
	for i, child := range want.Content {
		node.Content[i] = quoteStrings(child)
	}
	return &node
}

// encodeEntry writes "key: value" with its line endings, nil if it cannot be written.
func encodeEntry(key, value *yaml.Node) []byte {
	text, err := encodeRoot(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, value}})
	if err != nil {
		return nil
	}
	return text
}

// encodeValue returns the text of a value after "key:": from the blank of " value" or from the line ending
// before a block on.
func encodeValue(value *yaml.Node) []byte {
	return bytes.TrimPrefix(encodeEntry(&yaml.Node{Kind: yaml.ScalarNode, Value: "k"}, value), []byte("k:"))
}

// encodeRoot writes YAML, list items not indented below their key. The YAML package panics at what it cannot
// write, such as a channel.
func encodeRoot(value any) (text []byte, err error) {
	// The YAML package panics at what it cannot write, such as a channel.
	defer func() {
		if r := recover(); r != nil {
			text, err = nil, fmt.Errorf("%v", r)
		}
	}()
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	enc.SetIndent(2)
	// People write the items of a list below its key without indent.
	enc.CompactSeqIndent()
	if err := errors.Join(enc.Encode(value), enc.Close()); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// reindent indents every line of a block but the first, and gives all the line ending of the file.
func reindent(text []byte, indent int, eol string) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	for i, line := range lines {
		if i > 0 && !isBlank([]byte(line)) {
			line = strings.Repeat(" ", indent) + line
		}
		lines[i] = strings.Replace(line, "\n", eol, 1)
	}
	return []byte(strings.Join(lines, ""))
}
