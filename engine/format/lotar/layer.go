package lotar

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// layer is one file of settings, with every key in its flat form.
type layer struct {
	file   string
	source []byte
	values map[string]*yaml.Node
	places map[string][][]string // where a key is: the keys on the way to it, for each spelling
	other  []string              // flat names of keys without a meaning, in their order
	own    bool                  // it is of a project
}

// readLayer reads a file; without a file there are no settings. Error: *markdown.SyntaxError.
func readLayer(file string) (layer, error) {
	l := layer{file: file, values: map[string]*yaml.Node{}, places: map[string][][]string{}}
	if file == "" {
		return l, nil
	}
	src, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, err
	}
	return parseLayer(file, src)
}

// parseLayer reads the text of a file.
func parseLayer(file string, src []byte) (layer, error) {
	l := layer{file: file, source: src, values: map[string]*yaml.Node{}, places: map[string][][]string{}}
	root, err := parseYAML(file, src)
	if err != nil || root == nil {
		return l, err
	}
	l.flatten(root, nil)
	return l, nil
}

// parseYAML reads a file that is one mapping. It returns nil for a file without keys. Error: *markdown.SyntaxError.
func parseYAML(file string, src []byte) (*yaml.Node, error) {
	var root yaml.Node
	err := yaml.Unmarshal(src, &root)
	if err != nil {
		return nil, syntaxError(file, err)
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	node := root.Content[0]
	if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" {
		return nil, nil
	}
	if node.Kind != yaml.MappingNode {
		return nil, &markdown.SyntaxError{Path: file, Line: node.Line, Msg: "the file is not a mapping of keys to values"}
	}
	if err := checkKeys(file, node); err != nil {
		return nil, err
	}
	return node, nil
}

// checkKeys refuses keys that appear twice in one mapping.
func checkKeys(file string, node *yaml.Node) error {
	seen := map[string]int{}
	for i := 0; i < len(node.Content); i++ {
		child := node.Content[i]
		if node.Kind == yaml.MappingNode && i%2 == 0 {
			if first, twice := seen[child.Value]; twice && child.Kind == yaml.ScalarNode {
				return &markdown.SyntaxError{Path: file, Line: child.Line, Msg: fmt.Sprintf("key %q appears twice, first on line %d", child.Value, first)}
			}
			seen[child.Value] = child.Line
			continue
		}
		if err := checkKeys(file, child); err != nil {
			return err
		}
	}
	return nil
}

// syntaxError gives an error of the YAML package its path and line.
func syntaxError(file string, err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	if broken, ok := errors.AsType[*yaml.TypeError](err); ok && len(broken.Errors) > 0 {
		msg = broken.Errors[0]
	}
	line := 1
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if digits, text, found := strings.Cut(rest, ": "); found {
			if n, err := strconv.Atoi(digits); err == nil {
				line, msg = n, text
			}
		}
	}
	return &markdown.SyntaxError{Path: file, Line: line, Msg: msg}
}

// invalidValue returns the error of a value that does not fit its key.
func (l layer) invalidValue(name, format string, args ...any) error {
	line := 1
	if node := l.values[name]; node != nil {
		line = node.Line
	}
	return &markdown.SyntaxError{Path: l.file, Line: line, Msg: name + ": " + fmt.Sprintf(format, args...)}
}

// flatten adds the keys of a mapping. path are the keys above it.
func (l *layer) flatten(node *yaml.Node, path []string) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		value := node.Content[i+1]
		for value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		here := append(append([]string{}, path...), node.Content[i].Value)
		name := flatName(strings.Join(here, "."))
		// A single value under project is the name of the project, as lotar reads it.
		if name == "project" && value.Kind == yaml.ScalarNode {
			name = "project_name"
		}
		s, known := settingOf(name)
		if known && value.Kind == yaml.MappingNode && isList(s.kind) {
			// Some lists are written as a mapping with values.
			if at, inner := valuesOf(value); inner != nil {
				value, here = inner, append(here, at)
			}
		}
		if value.Kind == yaml.MappingNode && len(value.Content) > 0 && (!known || s.kind != aliases && s.kind != free && !isList(s.kind)) {
			l.flatten(value, here)
			continue
		}
		if _, twice := l.values[name]; !known && !twice {
			l.other = append(l.other, name)
		}
		l.values[name] = value
		l.places[name] = append(l.places[name], here)
	}
}

// isList reports whether a kind is a list of texts.
func isList(k kind) bool { return k == words || k == people || k == filled || k == pattern }

// valuesOf returns the list in a mapping of the form {values: [...]}.
func valuesOf(node *yaml.Node) (key string, list *yaml.Node) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == "values" {
			return "values", node.Content[i+1]
		}
	}
	return "", nil
}

// has reports whether a key is there with a value.
func (l layer) has(name string) bool {
	node := l.values[name]
	return node != nil && !(node.Kind == yaml.ScalarNode && (node.ShortTag() == "!!null" || strings.TrimSpace(node.Value) == ""))
}

// text returns a single value, "" for none.
func (l layer) text(name string) string {
	if !l.has(name) || l.values[name].Kind != yaml.ScalarNode {
		return ""
	}
	return strings.TrimSpace(l.values[name].Value)
}
