package spec

import (
	"slices"

	"chant/markdown"
)

// CarryEdit brings an edit of one copy of a spec over to another copy, home: what changed from base
// to edited. What chant itself notes (the status and what goes with it, approvals, boxes) is not
// part of an edit. conflicts names the keys, and "body", that home has otherwise; these stay. Errors:
// *markdown.SyntaxError of a copy that cannot be read.
func CarryEdit(path string, home, base, edited []byte) (merged []byte, conflicts []string, err error) {
	from, err := markdown.Parse(path, base)
	if err != nil {
		return nil, nil, err
	}
	to, err := markdown.Parse(path, edited)
	if err != nil {
		return nil, nil, err
	}
	from = unticked(from)
	if to, err = withNotesOf(from, unticked(to)); err != nil {
		return nil, nil, err
	}
	return Merge(path, from.Bytes(), home, to.Bytes(), func(base, ours, theirs []byte) ([]byte, bool, error) {
		out, clash := carryLines(base, ours, theirs)
		return out, clash, nil
	})
}

// withNotesOf is a document with the notes that chant keeps in another one.
func withNotesOf(from, doc *markdown.Document) (*markdown.Document, error) {
	keys, err := doc.Keys()
	if err != nil {
		return nil, err
	}
	had, err := from.Keys()
	if err != nil {
		return nil, err
	}
	var edits []markdown.Edit
	for _, key := range keys {
		if noted(key) && !slices.Contains(had, key) {
			edits = append(edits, markdown.Unset(key))
		}
	}
	for _, key := range had {
		if !noted(key) {
			continue
		}
		v, err := versionOf(from, key)
		if err != nil {
			return nil, err
		}
		if now, err := versionOf(doc, key); err != nil || !now.is(v) {
			edits = append(edits, markdown.Set(key, v.value))
		}
	}
	return doc.Apply(edits...)
}

// noted reports whether chant writes a key as a run goes on.
func noted(key string) bool { return ruled(key) || key == "reason" || key == "approval" }
