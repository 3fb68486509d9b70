package markdown

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Edit sets or removes one top-level key of the front matter.
type Edit struct {
	Key    string
	Value  any // anything that YAML can hold; unused when Remove is set
	Remove bool
}

// Set returns the edit that gives a key a value. A string is quoted where YAML would read it as something
// else, so that it stays a string.
func Set(key string, value any) Edit { return Edit{Key: key, Value: value} }

// Unset returns the edit that removes a key and its value.
func Unset(key string) Edit { return Edit{Key: key, Remove: true} }

// Apply returns the document with all edits made in order, or none of them.
//
// A scalar is replaced in place; the comment after it stays, and so does its quoting where the new
// value allows it. In a map that is a block, these rules hold for each of its keys; another map or a list is
// written anew, in flow style if it was, else as a block. A new key goes behind the last one. A removed key takes its own lines along and leaves the comments above. An equal value
// changes no byte; a plain time is equal to the string that it is written as. A document without front matter
// gets one at the first [Set].
//
// A front matter that does not parse is a [*SyntaxError]; an edit that cannot be made without changing more
// wraps [ErrNotEditable], a value that is not valid YAML [ErrValue].
func (d *Document) Apply(edits ...Edit) (*Document, error) {
	for _, e := range edits {
		next, err := d.apply(e)
		if err != nil {
			return nil, err
		}
		d = next
	}
	return d, nil
}

// apply makes one edit, by the first method whose result passes the check.
func (d *Document) apply(e Edit) (*Document, error) {
	old, err := d.mapping()
	if err != nil {
		return nil, err
	}
	c := change{doc: d, old: old, at: old.index(e.Key), key: e.Key}
	if e.Remove {
		if c.at < 0 {
			return d, nil
		}
		return c.try(c.removeKey, c.removeWithBlanks, c.rebuildTree)
	}
	if c.want, err = toNode(e.Value); err != nil {
		return nil, fmt.Errorf("key %q of %q: %w: %w", e.Key, d.path, ErrValue, err)
	}
	switch {
	// Each list begins with the way that changes least; the first result that reads as wanted is taken.
	case !d.fenced:
		return c.try(c.addFence)
	case c.at < 0:
		return c.try(c.appendKey, c.rebuildTree)
	case readsAs(old.value(c.at), c.want):
		return d, nil
	}
	return c.try(c.editNested, c.replaceValue, c.replaceQuoted, c.rewriteKey, c.rebuildTree)
}

// change is one edit under way.
type change struct {
	doc  *Document
	old  mapping
	at   int // place of the key in old, -1 if it is new
	key  string
	want *yaml.Node // nil to remove
}

// rewriter writes the edit; it returns nil where it does not know how.
type rewriter func() []byte

// try returns the first outcome that reads as wanted.
func (c change) try(ways ...rewriter) (*Document, error) {
	for _, write := range ways {
		src := write()
		if src == nil {
			continue
		}
		next, err := parse(c.doc.path, src)
		// What was written is parsed again: bytes that would read as something else are never returned.
		if err == nil && c.matches(next) {
			return next, nil
		}
	}
	return nil, fmt.Errorf("key %q of %q: %w", c.key, c.doc.path, ErrNotEditable)
}

// matches reports whether next differs from the old document in the edited key alone.
func (c change) matches(next *Document) bool {
	m, err := next.mapping()
	if err != nil || !bytes.Equal(next.Body(), c.doc.Body()) {
		return false
	}
	at := m.index(c.key)
	if (at >= 0) != (c.want != nil) || c.want != nil && !readsAs(m.value(at), c.want) {
		return false
	}
	return slices.Equal(m.keysExcept(at), c.old.keysExcept(c.at)) && sameExcept(m, at, c.old, c.at)
}

// splice returns the file with a range of the front matter replaced.
func (c change) splice(at span, text []byte) []byte {
	base := c.doc.matter.start
	return slices.Concat(c.doc.src[:base+at.start], text, c.doc.src[base+at.end:])
}
