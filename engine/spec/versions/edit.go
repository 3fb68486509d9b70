package versions

import (
	"bytes"
	"slices"

	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/markdown"
)

// CarryEdit applies an edit of one copy of a spec, the changes from base to edited, to another copy, home. The notes of
// chant and boxes are not part of the edit. conflicts names the keys, and "body", to which the edit could not be
// applied; home's version of these is kept. It returns a *markdown.SyntaxError if a copy cannot be read.
func CarryEdit(path string, home, base, edited []byte) (merged []byte, conflicts []string, err error) {
	from, to, err := parseTwo(path, base, edited)
	if err != nil {
		return nil, nil, err
	}
	// Agents tick boxes, and those are not part of a person's edit.
	return carryWithoutNotes(home, spec.Untick(from), spec.Untick(to))
}

// CarryHomeEdit works in the other direction: it applies an edit of home's copy, which only people write, to the copy
// of a run. Here boxes are part of the edit. If boxes that the agent has ticked prevent the merge of the body, they are
// all unticked.
func CarryHomeEdit(path string, copied, base, edited []byte) (merged []byte, conflicts []string, err error) {
	from, to, err := parseTwo(path, base, edited)
	if err != nil {
		return nil, nil, err
	}
	merged, conflicts, err = carryWithoutNotes(copied, from, to)
	if err != nil || !slices.Contains(conflicts, "body") {
		return merged, conflicts, err
	}
	doc, err := markdown.Parse(path, copied)
	if err != nil {
		return nil, nil, err
	}
	// Boxes that the agent has ticked can be ticked again, but a lost edit of a person is lost.
	if again, left, err := carryWithoutNotes(spec.Untick(doc).Bytes(), from, to); err == nil && !slices.Contains(left, "body") {
		return again, left, nil
	}
	return merged, conflicts, nil
}

// IsEdited reports whether a copy of a spec was changed from base to now, other than in chant's notes, in the
// discussion of its approval and in the comments of its reviews. If a copy cannot be read, any changed byte counts as
// an edit.
func IsEdited(path string, base, now []byte) bool {
	from, to, err := parseTwo(path, base, now)
	if err == nil {
		// Notes are written by chant and not by people.
		to, err = withNotesOf(from, to)
	}
	if err != nil {
		// An unreadable copy must not be taken for an unchanged one.
		return !bytes.Equal(base, now)
	}
	return !bytes.Equal(withoutRemarks(from), withoutRemarks(to))
}

// withoutRemarks returns what people have not said about a spec but written in it.
func withoutRemarks(doc *markdown.Document) []byte {
	return bytes.TrimSpace(task.DropComments(doc.DropSections(spec.DiscussionHeading)).Bytes())
}

func parseTwo(path string, base, edited []byte) (from, to *markdown.Document, err error) {
	if from, err = markdown.Parse(path, base); err == nil {
		to, err = markdown.Parse(path, edited)
	}
	return from, to, err
}

// carryWithoutNotes applies the changes between two documents to another text, except changes of chant's notes.
func carryWithoutNotes(text []byte, from, to *markdown.Document) (merged []byte, conflicts []string, err error) {
	// The other copy has notes of its own attempt.
	if to, err = withNotesOf(from, to); err != nil {
		return nil, nil, err
	}
	return Merge(from.Path(), from.Bytes(), text, to.Bytes(), MergeRemarks(func(base, ours, theirs []byte) ([]byte, bool, error) {
		out, clash := carryLines(base, ours, theirs)
		return out, clash, nil
	}))
}

// withNotesOf returns doc with the notes of chant replaced by those of from.
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
		// The key was added by chant since base.
		if isNote(key) && !slices.Contains(had, key) {
			edits = append(edits, markdown.Unset(key))
		}
	}
	for _, key := range had {
		if !isNote(key) {
			continue
		}
		v, err := versionOf(from, key)
		if err != nil {
			return nil, err
		}
		if now, err := versionOf(doc, key); err != nil || !now.equals(v) {
			edits = append(edits, markdown.Set(key, v.yamlValue()))
		}
	}
	return doc.Apply(edits...)
}

// isNote reports whether a key is one of chant's notes: chant writes it while the spec is worked.
func isNote(key string) bool { return followsStatus(key) || key == "reason" || key == "approval" }
