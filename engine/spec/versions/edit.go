package versions

import (
	"bytes"
	"slices"

	"chant/engine/spec"
	"chant/markdown"
)

// CarryEdit brings an edit of one copy of a spec over to another copy, home: what changed from base
// to edited. What chant itself notes (the status and what goes with it, approvals, boxes) is not
// part of an edit. conflicts names the keys, and "body", that home has otherwise; these stay. Errors:
// *markdown.SyntaxError of a copy that cannot be read.
func CarryEdit(path string, home, base, edited []byte) (merged []byte, conflicts []string, err error) {
	from, to, err := twoOf(path, base, edited)
	if err != nil {
		return nil, nil, err
	}
	return carryNoted(home, spec.Untick(from), spec.Untick(to))
}

// CarryHomeEdit is CarryEdit in the other direction: an edit that a person has made of home's copy,
// which no agent writes, is brought over to the copy of a run. Boxes are part of it. Those that the
// agent has ticked are opened where they are in the way of a line that the person has changed.
func CarryHomeEdit(path string, copied, base, edited []byte) (merged []byte, conflicts []string, err error) {
	from, to, err := twoOf(path, base, edited)
	if err != nil {
		return nil, nil, err
	}
	merged, conflicts, err = carryNoted(copied, from, to)
	if err != nil || !slices.Contains(conflicts, "body") {
		return merged, conflicts, err
	}
	doc, err := markdown.Parse(path, copied)
	if err != nil {
		return nil, nil, err
	}
	if again, left, err := carryNoted(spec.Untick(doc).Bytes(), from, to); err == nil && !slices.Contains(left, "body") {
		return again, left, nil
	}
	return merged, conflicts, nil
}

// Edited reports whether a person has changed a copy of a spec from base to now: anything but what
// chant itself notes and the discussion of its approval. A copy that cannot be read was edited.
func Edited(path string, base, now []byte) bool {
	from, to, err := twoOf(path, base, now)
	if err == nil {
		to, err = withNotesOf(from, to)
	}
	if err != nil {
		return !bytes.Equal(base, now)
	}
	return !bytes.Equal(undiscussed(from), undiscussed(to))
}

func undiscussed(doc *markdown.Document) []byte {
	return bytes.TrimSpace(doc.DropSections(spec.DiscussionHeading).Bytes())
}

func twoOf(path string, base, edited []byte) (from, to *markdown.Document, err error) {
	if from, err = markdown.Parse(path, base); err == nil {
		to, err = markdown.Parse(path, edited)
	}
	return from, to, err
}

// carryNoted makes the change between two documents in another text, but for the notes of chant.
func carryNoted(text []byte, from, to *markdown.Document) (merged []byte, conflicts []string, err error) {
	if to, err = withNotesOf(from, to); err != nil {
		return nil, nil, err
	}
	return Merge(from.Path(), from.Bytes(), text, to.Bytes(), func(base, ours, theirs []byte) ([]byte, bool, error) {
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
			edits = append(edits, markdown.Set(key, v.written()))
		}
	}
	return doc.Apply(edits...)
}

// noted reports whether chant writes a key as a run goes on.
func noted(key string) bool { return ruled(key) || key == "reason" || key == "approval" }
