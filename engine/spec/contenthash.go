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

// contentKeys lists the front-matter keys that shape the work. An approval covers their values; all other keys record
// the progress of the spec or describe it.
func contentKeys() []string { return keyNames(func(k Key) bool { return k.Shapes }) }

// ContentHash returns the hash of what a person approves: the keys that shape the work, and the title and body without
// the discussion. Ticked boxes and line ends do not change it. Criteria and the script are part of it even if they are
// in the discussion, because chant would use them from there too.
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
		fmt.Fprintf(sum, "%s %d\n%s", key, len(text), text) // writing to a hash cannot fail
	}
	plain := Untick(doc)
	for _, c := range Criteria(plain) {
		fmt.Fprintf(sum, "criterion %q\n", c.Text)
	}
	if script, ok := plain.CodeBlock(ScriptHeading); ok {
		fmt.Fprintf(sum, "script %q\n", UnixLineEnds(script))
	}
	body := UnixLineEnds(plain.DropSections(DiscussionHeading).Body())
	fmt.Fprintf(sum, "body %s", bytes.TrimSpace(body))
	return hex.EncodeToString(sum.Sum(nil))
}

// Untick returns the document with every box in its sections unticked.
func Untick(doc *markdown.Document) *markdown.Document {
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
		return doc // cannot happen: only bytes of the body were changed
	}
	return plain
}

// UnixLineEnds returns a text with the line ends of Unix.
func UnixLineEnds(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
