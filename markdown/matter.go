package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"
)

// Decode decodes the front matter into v, a pointer to a struct with yaml tags or to a map. Without front
// matter, or with an empty one, v stays as it is. YAML that is broken, is not a mapping, has a key twice or does
// not fit v is a [*SyntaxError] with the line of the file.
func (d *Document) Decode(v any) error {
	m, err := d.mapping()
	if err != nil || m.node == nil {
		return err
	}
	return d.syntaxError(m.node.Decode(v))
}

// Keys returns the top-level keys in the order of the file.
func (d *Document) Keys() ([]string, error) {
	m, err := d.mapping()
	if err != nil {
		return nil, err
	}
	keys := make([]string, 0, m.len())
	for i := range m.len() {
		keys = append(keys, m.key(i).Value)
	}
	return keys, nil
}

// Get decodes the value of one top-level key into v and reports whether the key is there.
func (d *Document) Get(key string, v any) (bool, error) {
	m, err := d.mapping()
	if err != nil {
		return false, err
	}
	i := m.index(key)
	if i < 0 {
		return false, nil
	}
	return true, d.syntaxError(m.value(i).Decode(v))
}

// KeyLine returns the file line, from 1, of a top-level key; 1 if it is missing.
func (d *Document) KeyLine(key string) int {
	m, err := d.mapping()
	if i := m.index(key); err == nil && i >= 0 {
		// The first line is that of the fence.
		return m.key(i).Line + 1
	}
	return 1
}

// mapping returns the decoded front matter; it decodes at the first call.
func (d *Document) mapping() (mapping, error) {
	d.matterOnce.Do(func() {
		if d.fenced {
			root, err := decodeMapping(d.FrontMatter())
			d.root, d.rootErr = root, d.syntaxError(err)
		}
	})
	return d.root, d.rootErr
}

// decodeMapping reads YAML as one mapping with every key once; nothing at all reads as an empty mapping.
func decodeMapping(src []byte) (mapping, error) {
	// The library cuts at a line that equals the fence however it is indented, so it gets one that is nowhere in the text.
	fence := unusedFence(src)
	open, end := []byte("---\n"), []byte(fence+"\n")
	if !bytes.HasSuffix(src, []byte("\n")) {
		end = slices.Concat([]byte("\n"), end)
	}
	var doc yaml.Node
	_, err := frontmatter.MustParse(
		io.MultiReader(bytes.NewReader(open), bytes.NewReader(src), bytes.NewReader(end)),
		&doc, frontmatter.NewFormat("---", fence, unmarshalOne))
	if err != nil || len(doc.Content) == 0 {
		return mapping{}, err
	}
	m := mapping{doc.Content[0]}
	if m.node.Kind != yaml.MappingNode {
		return mapping{}, lineError(m.node.Line, "front matter is not a mapping of keys to values")
	}
	return m, m.checkKeys()
}

// unusedFence returns a closing fence that no line of src equals, however it is indented.
func unusedFence(src []byte) string {
	fence := "--- end"
	for bytes.Contains(src, []byte(fence)) {
		fence += "-"
	}
	return fence
}

// unmarshalOne decodes src, which must hold one YAML document at most.
func unmarshalOne(src []byte, v any) error {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	if err := dec.Decode(v); err != nil {
		return ignoreEOF(err)
	}
	// The keys of another document would vanish in silence.
	var second yaml.Node
	if err := dec.Decode(&second); err != nil {
		return ignoreEOF(err)
	}
	return lineError(second.Line, "front matter contains a second YAML document")
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// lineError words an error as the YAML package does, so that both take the same way to a line of the file.
func lineError(line int, format string, args ...any) error {
	return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: ", line) + fmt.Sprintf(format, args...)}}
}

// syntaxError gives an error of the YAML package the path and the line of the file.
func (d *Document) syntaxError(err error) error {
	if err == nil {
		return nil
	}
	msg, more := err.Error(), 0
	if broken, ok := errors.AsType[*yaml.TypeError](err); ok && len(broken.Errors) > 0 {
		msg, more = broken.Errors[0], len(broken.Errors)-1
	}
	line, msg := matterLine(d.FrontMatter(), strings.TrimPrefix(msg, "yaml: "))
	msg = Reword(msg) + quoteHint(d.FrontMatter(), line, msg)
	if more > 0 {
		msg += fmt.Sprintf(" (and %d more)", more)
	}
	// One line more for the fence above the front matter.
	return &SyntaxError{Path: d.path, Line: line + 1, Msg: msg}
}

// mapping is a YAML mapping node, or nothing. It reads as a list of pairs.
type mapping struct{ node *yaml.Node }

func (m mapping) len() int {
	if m.node == nil {
		return 0
	}
	return len(m.node.Content) / 2
}

func (m mapping) key(i int) *yaml.Node   { return m.node.Content[2*i] }
func (m mapping) value(i int) *yaml.Node { return m.node.Content[2*i+1] }

// index returns the place of a key, -1 if it is not there.
func (m mapping) index(key string) int {
	for i := range m.len() {
		if m.key(i).Value == key && m.key(i).Kind == yaml.ScalarNode {
			return i
		}
	}
	return -1
}

// checkKeys refuses keys that are not scalars or appear twice.
func (m mapping) checkKeys() error {
	lines := make(map[string]int, m.len())
	for i := range m.len() {
		key := m.key(i)
		if key.Kind != yaml.ScalarNode {
			return lineError(key.Line, "a key of the front matter is not plain text")
		}
		// Decoded into nodes, equal keys are not an error of the YAML package.
		if first, twice := lines[key.Value]; twice {
			return lineError(key.Line, "key %q appears twice, first on line %d", key.Value, first+1)
		}
		lines[key.Value] = key.Line
	}
	return nil
}
