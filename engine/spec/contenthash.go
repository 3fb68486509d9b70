package spec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// contentKeys are the front-matter keys that shape the work. A person who approves a
// spec approves of their values; all others say where the spec stands.
func contentKeys() []string { return names(func(k Key) bool { return k.Shapes }) }

// ContentHash names what a person approves: the title and the body without the
// discussion, whatever the boxes of its lists and its line ends, and the keys that
// shape the work. What chant takes from the body by machine, criteria and script,
// counts wherever it stands.
func ContentHash(doc *markdown.Document) string {
	sum := sha256.New()
	for _, key := range contentKeys() {
		var value any
		if found, err := doc.Get(key, &value); err != nil || !found || value == nil {
			continue
		}
		text, err := yaml.Marshal(value) // keys of maps in order
		if err != nil {
			text = fmt.Append(nil, value)
		}
		fmt.Fprintf(sum, "%s %d\n%s", key, len(text), text) // a hash takes everything
	}
	plain := Unticked(doc)
	for _, c := range Criteria(plain) {
		fmt.Fprintf(sum, "criterion %q\n", c.Text)
	}
	if script, ok := plain.CodeBlock(ScriptHeading); ok {
		fmt.Fprintf(sum, "script %q\n", EvenEnds(script))
	}
	body := EvenEnds(plain.DropSections(DiscussionHeading).Body())
	fmt.Fprintf(sum, "body %s", bytes.TrimSpace(body))
	return hex.EncodeToString(sum.Sum(nil))
}

// Unticked is the document with every box of its sections open.
func Unticked(doc *markdown.Document) *markdown.Document {
	src, changed := slices.Clone(doc.Bytes()), false
	for _, h := range doc.Headings() {
		for _, task := range doc.Tasks(h.Text) {
			if src[task.Offset] != ' ' {
				src[task.Offset], changed = ' ', true
			}
		}
	}
	if !changed {
		return doc
	}
	plain, err := markdown.Parse(doc.Path(), src)
	if err != nil {
		return doc // a byte of the body was changed, which ends no front matter
	}
	return plain
}

// EvenEnds is a text with the line ends of Unix.
func EvenEnds(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
