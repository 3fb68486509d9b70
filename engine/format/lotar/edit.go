package lotar

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// setIn returns the text of a YAML file with one value set, or removed if it is nil. path are the keys on the way to
// it. All other bytes stay, except those of a mapping in flow style, which is written anew. Errors:
// *markdown.SyntaxError, and those of markdown.Document.Apply.
func setIn(file string, src []byte, path []string, value any) ([]byte, error) {
	// The editor of front matter knows no document marker, so it is cut off and put back.
	if head, rest, ok := cutMarker(src); ok {
		out, err := setIn(file, rest, path, value)
		return slices.Concat(head, out), err
	}
	root, err := parseYAML(file, src)
	if err != nil {
		return nil, err
	}
	i := indexOf(root, path[0])
	if len(path) == 1 || i < 0 || !isBlock(root.Content[i+1]) {
		return setTop(file, src, root, path, value)
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	first, last := blockOf(root, i, lines)
	inner, indent, ok := dedent(lines[first:last], root.Content[i+1].Column-1)
	if !ok {
		return nil, &markdown.SyntaxError{Path: file, Line: first + 1, Msg: "this mapping is indented in a way that cannot be edited"}
	}
	out, err := setIn(file, inner, path[1:], value)
	if err != nil {
		return nil, err
	}
	// A mapping without keys would be null, so its key goes too, unless comments would go with it.
	if emptied, err := parseYAML(file, out); err == nil && emptied == nil && !bytes.Contains(out, []byte("#")) {
		return setTop(file, src, root, path[:1], nil)
	}
	result := slices.Concat(bytes.Join(lines[:first], nil), indentLines(out, indent), bytes.Join(lines[last:], nil))
	// Unusual YAML, such as one with tabs, may not survive the edit, and then nothing is written.
	if _, err := parseYAML(file, result); err != nil {
		return nil, err
	}
	return result, nil
}

// setTop sets the value of a key of the file itself. The rest of the path becomes a new mapping, or a part of one in
// flow style.
func setTop(file string, src []byte, root *yaml.Node, path []string, value any) ([]byte, error) {
	open := []byte("---\n")
	text := src
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(slices.Clone(text), '\n')
	}
	doc, err := markdown.Parse(file, slices.Concat(open, text, open))
	if err != nil {
		return nil, err
	}
	i := indexOf(root, path[0])
	if i < 0 && value == nil {
		return src, nil
	}
	var edit markdown.Edit
	switch {
	case value == nil && len(path) == 1:
		edit = markdown.Unset(path[0])
	case len(path) == 1:
		edit = markdown.Set(path[0], value)
	default:
		var have *yaml.Node
		if i >= 0 {
			have = root.Content[i+1]
		}
		edit = markdown.Set(path[0], withValue(have, path[1:], value))
	}
	next, err := doc.Apply(edit)
	if err != nil {
		// The file has no fence, so lines are one less, and the message must not mention front matter.
		if broken, ok := errors.AsType[*markdown.SyntaxError](err); ok {
			return nil, &markdown.SyntaxError{Path: file, Line: max(1, broken.Line-1), Msg: strings.ReplaceAll(broken.Msg, "front matter", "file")}
		}
		return nil, err
	}
	return slices.Clone(next.FrontMatter()), nil
}

// withValue returns a mapping with one value set, or removed if it is nil.
func withValue(node *yaml.Node, path []string, value any) any {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if node != nil && node.Kind == yaml.MappingNode {
		out.Content = slices.Clone(node.Content)
	}
	i := indexOf(out, path[0])
	var next any = value
	if len(path) > 1 {
		var have *yaml.Node
		if i >= 0 {
			have = out.Content[i+1]
		}
		next = withValue(have, path[1:], value)
	}
	switch {
	case next == nil && i >= 0:
		out.Content = slices.Delete(out.Content, i, i+2)
	case next != nil:
		var encoded yaml.Node
		if encoded.Encode(next) != nil {
			return out
		}
		if i >= 0 {
			out.Content[i+1] = &encoded
		} else {
			out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: path[0]}, &encoded)
		}
	}
	return out
}

// cutMarker cuts a line "---" at the start of a file, with comments above it.
func cutMarker(src []byte) (head, rest []byte, ok bool) {
	at := 0
	for line := range bytes.Lines(src) {
		trimmed := bytes.TrimSpace(line)
		at += len(line)
		if bytes.Equal(bytes.TrimRight(line, " \t\r\n"), []byte("---")) {
			return src[:at], src[at:], true
		}
		if len(trimmed) > 0 && trimmed[0] != '#' {
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// indexOf returns the place of a key in the content of a mapping, -1 if it is not there.
func indexOf(node *yaml.Node, key string) int {
	if node == nil {
		return -1
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// isBlock reports whether a value is a mapping on lines of its own.
func isBlock(node *yaml.Node) bool {
	return node.Kind == yaml.MappingNode && node.Style&yaml.FlowStyle == 0 && len(node.Content) > 0 && node.Anchor == ""
}

// blockOf returns the lines of the mapping of a key: from the one after the key to the last that is indented.
func blockOf(root *yaml.Node, i int, lines [][]byte) (first, last int) {
	first, last = root.Content[i].Line, len(lines)
	if i+2 < len(root.Content) {
		last = root.Content[i+2].Line - 1
	}
	indent := root.Content[i+1].Column - 1
	// Comments and empty lines below belong to what follows.
	for last > first {
		line := lines[last-1]
		if trimmed := bytes.TrimLeft(line, " "); len(bytes.TrimSpace(line)) > 0 && len(line)-len(trimmed) >= indent {
			break
		}
		last--
	}
	return first, last
}

// dedent removes the indentation of lines. ok is false if a line has less of it.
func dedent(lines [][]byte, width int) (text []byte, indent string, ok bool) {
	indent = strings.Repeat(" ", width)
	var out bytes.Buffer
	for _, line := range lines {
		rest, found := bytes.CutPrefix(line, []byte(indent))
		if blank := len(bytes.TrimSpace(line)) == 0; blank && !found {
			rest = bytes.TrimLeft(line, " \t")
		} else if !found {
			return nil, "", false
		}
		out.Write(rest)
	}
	return out.Bytes(), indent, width > 0
}

// indentLines reverses dedent.
func indentLines(text []byte, indent string) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		if len(bytes.TrimRight(line, "\r\n")) > 0 {
			out.WriteString(indent)
		}
		out.Write(line)
	}
	return out.Bytes()
}
