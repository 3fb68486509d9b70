package versions

import (
	"bytes"

	"chant/markdown"
)

// MergeBody merges three texts line by line and reports whether they conflict; the result then contains git's conflict
// marks.
type MergeBody func(base, ours, theirs []byte) (merged []byte, conflict bool, err error)

// Merge merges two versions of a spec file that began as base, by the rules of the package. A file, a front matter or a
// key that only one side changed is taken byte for byte. Of what both sides changed, sets are joined item by item,
// where a single text counts as a list of one, and mappings key by key; the status with the higher rank wins. The
// decision in an approval is never mixed from both sides. conflicts names the keys that cannot be joined, "body", and
// "front matter" for a conflict outside of single keys; there the result has the version of ours.
func Merge(path string, base, ours, theirs []byte, text MergeBody) (merged []byte, conflicts []string, err error) {
	return merge(path, [3][]byte{base, ours, theirs}, text, false)
}

// MergeMarked merges as [Merge] does, but the result has both sides of each conflict, between git's conflict marks.
func MergeMarked(path string, base, ours, theirs []byte, text MergeBody) (merged []byte, conflicts []string, err error) {
	return merge(path, [3][]byte{base, ours, theirs}, text, true)
}

// merge merges base, ours and theirs.
func merge(path string, src [3][]byte, text MergeBody, marked bool) ([]byte, []string, error) {
	// The bytes of a side keep comments and the order of keys too.
	if one, ok := oneSided(src); ok {
		return one, nil, nil
	}
	var docs [3]*markdown.Document
	for i := range src {
		var err error
		if docs[i], err = markdown.Parse(path, src[i]); err != nil {
			return nil, nil, err
		}
	}
	head, conflicts, err := mergeHeads(docs, text, marked)
	if err != nil {
		return nil, nil, err
	}
	// The body is added to a document, which knows where its front matter ends.
	out, err := markdown.Parse(path, head)
	if err != nil {
		return nil, nil, err
	}
	bodies := [3][]byte{docs[0].Body(), docs[1].Body(), docs[2].Body()}
	body, ok := oneSided(bodies)
	if !ok {
		var clash bool
		if body, clash, err = text(bodies[0], bodies[1], bodies[2]); err != nil {
			return nil, nil, err
		}
		if clash {
			conflicts = append(conflicts, "body")
		}
	}
	return out.WithBody(body).Bytes(), conflicts, nil
}

// oneSided merges base, ours and theirs if at most one side has changed the bytes, or both in the same way.
func oneSided(src [3][]byte) ([]byte, bool) {
	base, ours, theirs := src[0], src[1], src[2]
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return ours, true
	case bytes.Equal(base, ours):
		return theirs, true
	}
	return nil, false
}
