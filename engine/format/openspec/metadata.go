package openspec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Metadata is the file .openspec.yaml of a change, with what is wrong with it.
type Metadata struct {
	Schema string

	present bool
	text    string
	root    *yaml.Node
	// broken says that it is not YAML, and problem what its first wrong value is.
	broken  bool
	problem string
}

func (m *Metadata) invalid() bool { return m.broken || m.problem != "" }

// ReadMetadata reads the metadata of the change in a folder. They may be missing or invalid.
func ReadMetadata(fsys fs.FS, dir string) (Metadata, error) {
	var m Metadata
	var err error
	m.text, m.present, err = ReadText(fsys, path.Join(dir, MetadataName))
	if err != nil || !m.present {
		return m, err
	}
	if m.root, err = parseYAML(m.text); err != nil {
		m.broken = true
		return m, nil
	}
	m.problem = m.check()
	return m, nil
}

// SkipsSpecs reports whether the change declares that it alters no requirements, or why its declaration cannot count.
func (m *Metadata) SkipsSpecs(fsys fs.FS) (set bool, problem string) {
	return m.marker(fsys, "skip_specs")
}

// RetiresCapabilities reports whether the change may remove the last requirement of a capability, and with it the spec,
// or why its declaration cannot count.
func (m *Metadata) RetiresCapabilities(fsys fs.FS) (set bool, problem string) {
	return m.marker(fsys, "retire_capabilities")
}

// marker judges a key of the metadata. An invalid file sets nothing, which matters only if
// it mentions the key.
func (m *Metadata) marker(fsys fs.FS, key string) (set bool, problem string) {
	value := field(m.root, key)
	unset := value == nil || kindName(value) == "boolean" && !strings.EqualFold(value.Value, "true")
	switch {
	// An invalid file sets nothing, which matters only if it mentions the key.
	case !m.present || m.broken && !setsKey(m.text, key) || !m.broken && unset:
		return false, ""
	case m.broken:
		return false, "the file is not valid YAML"
	case m.problem != "":
		return false, printable(m.problem)
	case !schemaExists(fsys, m.Schema):
		return false, printable("schema: unknown schema '" + m.Schema + "'")
	}
	if _, err := readSchema(fsys, m.Schema); err != nil {
		return false, printable(err.Error())
	}
	return true, ""
}

// setsKey reports whether a line of a text that is not YAML sets a key.
func setsKey(text, key string) bool {
	for l := range strings.Lines(UnixLineEnds(text)) {
		rest := TrimLeft(l)
		for _, quote := range []string{"", `"`, "'"} {
			if after, ok := strings.CutPrefix(rest, quote+key+quote); ok && strings.HasPrefix(TrimLeft(after), ":") {
				return true
			}
		}
	}
	return false
}

// printable replaces control characters, so that a value in a message forges no line.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return '?'
		}
		return r
	}, text)
}

// check reads the schema, and returns what is wrong with the first bad value.
func (m *Metadata) check() string {
	if kindName(m.root) != "object" {
		return "it is not a mapping"
	}
	for _, f := range []struct{ key, kind string }{
		{"schema", "string"}, {"created", "string"}, {"goal", "string"}, {"affected_areas", "array"}, {"initiative", "object"},
		{"skip_specs", "boolean"}, {"retire_capabilities", "boolean"},
	} {
		value := field(m.root, f.key)
		switch kind := kindName(value); {
		case value == nil && f.key != "schema":
			continue
		case kind != f.kind:
			return fmt.Sprintf("%s must be a value of type %s, not %s", f.key, f.kind, kind)
		case kind == "string" && value.Value == "":
			return f.key + " is empty"
		}
		switch f.key {
		case "schema":
			m.Schema = value.Value
		case "created":
			if len(value.Value) != len(time.DateOnly) || !HasDate(value.Value+"-") {
				return "created must have the form YYYY-MM-DD"
			}
		case "affected_areas":
			for _, item := range value.Content {
				if kindName(item) != "string" || item.Value == "" {
					return "affected_areas must be a list of words"
				}
			}
		case "initiative":
			if !isInitiative(value) {
				return "initiative must have store and id, in lower case, and nothing else"
			}
		}
	}
	return ""
}

func isInitiative(value *yaml.Node) bool {
	for _, key := range []string{"store", "id"} {
		id := field(value, key)
		if kindName(id) != "string" {
			return false
		}
		for word := range strings.SplitSeq(id.Value, "-") {
			if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
				return false
			}
		}
	}
	return len(value.Content) == 4
}

// HasDate reports whether a name starts with YYYY-MM-DD and a hyphen.
func HasDate(name string) bool {
	if len(name) < 11 {
		return false
	}
	for i, c := range []byte(name[:11]) {
		if i == 4 || i == 7 || i == 10 {
			if c != '-' {
				return false
			}
		} else if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// parseYAML reads one document. It returns nil for an empty one.
func parseYAML(text string) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader([]byte(strings.TrimPrefix(text, BOM))))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	}
	// The tool refuses a second document, too.
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.Join(errors.New("several documents"), err)
	}
	root := doc.Content[0]
	return root, unique(root)
}

// unique refuses a mapping that has a key twice.
func unique(n *yaml.Node) error {
	seen := map[string]bool{}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && c.Kind == yaml.ScalarNode {
			if seen[c.Value] {
				return fmt.Errorf("line %d: key %q is there twice", c.Line, c.Value)
			}
			seen[c.Value] = true
		}
		if err := unique(c); err != nil {
			return err
		}
	}
	return nil
}

// field returns the value of a key, or nil.
func field(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != key {
			continue
		}
		if value := n.Content[i+1]; value.Kind != yaml.AliasNode {
			return value
		}
		return n.Content[i+1].Alias
	}
	return nil
}

// kindName is the type of a value in messages. A date is a string, and so are words such as
// yes that older versions of YAML read as booleans.
func kindName(n *yaml.Node) string {
	switch {
	case n == nil:
		return "undefined"
	case n.Kind == yaml.MappingNode:
		return "object"
	case n.Kind == yaml.SequenceNode:
		return "array"
	}
	switch n.ShortTag() {
	case "!!null":
		return "null"
	case "!!bool":
		return "boolean"
	case "!!int", "!!float":
		return "number"
	}
	return "string"
}
