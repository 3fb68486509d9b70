package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"chant/engine/openspec/ecma"
)

// Metadata is the file .openspec.yaml of a change.
type Metadata struct {
	Schema        string
	Created       string
	Goal          string
	AffectedAreas []string
	// SkipSpecs declares that the change alters no requirements.
	SkipSpecs bool
	// RetireCapabilities allows it to remove the last requirement of a capability, and
	// with it the spec.
	RetireCapabilities bool
}

// MetadataFile is .openspec.yaml with what is wrong with it.
type MetadataFile struct {
	Metadata
	present bool
	text    string
	root    *yaml.Node
	// broken says that it is not YAML, and problem what its first wrong value is.
	broken  bool
	problem string
}

func (m *MetadataFile) invalid() bool { return m.broken || m.problem != "" }

// ReadMetadata reads the metadata of the change in a folder. They may be missing or invalid.
func ReadMetadata(fsys fs.FS, dir string) (MetadataFile, error) {
	var m MetadataFile
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

// SkipsSpecs reports whether skip_specs is set, or why it cannot count.
func (m *MetadataFile) SkipsSpecs(fsys fs.FS) (set bool, problem string) {
	return m.marker(fsys, "skip_specs", m.SkipSpecs)
}

// RetiresCapabilities reports whether retire_capabilities is set, or why it cannot count.
func (m *MetadataFile) RetiresCapabilities(fsys fs.FS) (set bool, problem string) {
	return m.marker(fsys, "retire_capabilities", m.RetireCapabilities)
}

// marker judges a key of the metadata. An invalid file sets nothing, which matters only if
// it mentions the key.
func (m *MetadataFile) marker(fsys fs.FS, key string, value bool) (set bool, problem string) {
	switch {
	case !m.present:
		return false, ""
	case m.broken:
		if !mentions(m.text, key) {
			return false, ""
		}
		return false, "the file is not valid YAML"
	case m.problem != "":
		value := field(m.root, key)
		if value == nil || kindName(value) == "boolean" && !isTrue(value) {
			return false, ""
		}
		return false, Printable(m.problem)
	case !value:
		return false, ""
	case !schemaExists(fsys, m.Schema):
		return false, Printable("schema: unknown schema '" + m.Schema + "'")
	}
	if _, err := readSchema(fsys, m.Schema); err != nil {
		return false, Printable(err.Error())
	}
	return true, ""
}

// mentions reports whether a line of a text that is not YAML sets a key.
func mentions(text, key string) bool {
	for l := range strings.Lines(ecma.Unix(text)) {
		rest := ecma.TrimLeft(l)
		for _, quote := range []string{"", `"`, "'"} {
			if after, ok := strings.CutPrefix(rest, quote+key+quote); ok && strings.HasPrefix(ecma.TrimLeft(after), ":") {
				return true
			}
		}
	}
	return false
}

// Printable replaces control characters, so that a value in a message forges no line.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return '?'
		}
		return r
	}, text)
}

// check reads the values in the order of the format and returns what is wrong with the first
// bad one, in the words of the tool.
func (m *MetadataFile) check() string {
	root := m.root
	if root == nil || root.Kind != yaml.MappingNode {
		return "Invalid input: expected object, received " + kindName(root)
	}
	checks := []func() string{
		func() string { return readString(root, "schema", &m.Schema, "schema is required", true) },
		func() string {
			problem := readString(root, "created", &m.Created, "", false)
			if problem == "" && field(root, "created") != nil && !isDate(m.Created) {
				return "created: created must be YYYY-MM-DD format"
			}
			return problem
		},
		func() string { return readString(root, "goal", &m.Goal, tooShort, false) },
		func() string { return m.checkAreas() },
		func() string { return checkInitiative(field(root, "initiative")) },
		func() string { return readBool(root, "skip_specs", &m.SkipSpecs) },
		func() string { return readBool(root, "retire_capabilities", &m.RetireCapabilities) },
	}
	for _, check := range checks {
		if problem := check(); problem != "" {
			return problem
		}
	}
	return ""
}

const tooShort = "Too small: expected string to have >=1 characters"

// readString reads a text that must not be empty if there is a message for that.
func readString(root *yaml.Node, key string, into *string, ifEmpty string, required bool) string {
	value := field(root, key)
	if value == nil && !required {
		return ""
	}
	if kind := kindName(value); kind != "string" {
		return fmt.Sprintf("%s: Invalid input: expected string, received %s", key, kind)
	}
	if *into = value.Value; *into == "" && ifEmpty != "" {
		return key + ": " + ifEmpty
	}
	return ""
}

func readBool(root *yaml.Node, key string, into *bool) string {
	value := field(root, key)
	if value == nil {
		return ""
	}
	if kind := kindName(value); kind != "boolean" {
		return fmt.Sprintf("%s: Invalid input: expected boolean, received %s", key, kind)
	}
	*into = isTrue(value)
	return ""
}

func (m *MetadataFile) checkAreas() string {
	value := field(m.root, "affected_areas")
	if value == nil {
		return ""
	}
	if kind := kindName(value); kind != "array" {
		return "affected_areas: Invalid input: expected array, received " + kind
	}
	for i, item := range value.Content {
		at := "affected_areas." + strconv.Itoa(i) + ": "
		if kind := kindName(item); kind != "string" {
			return at + "Invalid input: expected string, received " + kind
		}
		if item.Value == "" {
			return at + tooShort
		}
		m.AffectedAreas = append(m.AffectedAreas, item.Value)
	}
	return ""
}

func checkInitiative(value *yaml.Node) string {
	if value == nil {
		return ""
	}
	if kind := kindName(value); kind != "object" {
		return "initiative: Invalid input: expected object, received " + kind
	}
	for _, key := range []string{"store", "id"} {
		var id string
		if problem := readString(value, key, &id, "", true); problem != "" {
			return "initiative." + problem
		}
		if !isKebab(id) {
			return "initiative." + key + ": " + map[string]string{"store": "Store", "id": "Initiative"}[key] +
				" id must be kebab-case with lowercase letters, numbers, and single hyphen separators"
		}
	}
	for i := 0; i+1 < len(value.Content); i += 2 {
		if key := value.Content[i].Value; key != "store" && key != "id" {
			return fmt.Sprintf("initiative: Unrecognized key: %q", key)
		}
	}
	return ""
}

func isKebab(id string) bool {
	for word := range strings.SplitSeq(id, "-") {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return true
}

// isDate recognises YYYY-MM-DD by its form.
func isDate(text string) bool {
	return len(text) == 10 && HasDate(text+"-")
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
	dec := yaml.NewDecoder(bytes.NewReader([]byte(strings.TrimPrefix(text, ecma.BOM))))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	}
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

func isTrue(n *yaml.Node) bool { return strings.EqualFold(n.Value, "true") }
