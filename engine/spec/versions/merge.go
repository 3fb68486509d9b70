package versions

import (
	"bytes"

	"chant/markdown"
)

// MergeBody merges three texts line by line and reports whether they conflict; the merge
// then holds git's marks.
type MergeBody func(base, ours, theirs []byte) (merged []byte, conflict bool, err error)

// Merge joins two versions of one spec file that began as base, key by key.
// What only one side changed is taken from that side, removals included; lists that are
// sets and that both changed are joined item by item, a single text being a list of one,
// and mappings key by key; of two statuses the one further along wins, and what was noted
// with it stands beside it. An approval is one decision: that of one side, or a
// conflict, and never the word of one person under the name of another. A file, a front
// matter or a key of it that only one side changed is taken byte for byte; a comment or a
// spelling that one side has added is kept or is a conflict. conflicts names the keys
// (and "body", and "front matter" where it cannot be taken apart) that both sides changed
// in ways that cannot be joined: there the result holds ours.
func Merge(path string, base, ours, theirs []byte, text MergeBody) (merged []byte, conflicts []string, err error) {
	return merge(path, [3][]byte{base, ours, theirs}, text, false)
}

// MergeMarked is [Merge] with both sides at each conflict, between the marks that git
// writes there.
func MergeMarked(path string, base, ours, theirs []byte, text MergeBody) (merged []byte, conflicts []string, err error) {
	return merge(path, [3][]byte{base, ours, theirs}, text, true)
}

// merge merges base, ours and theirs.
func merge(path string, src [3][]byte, text MergeBody, marked bool) ([]byte, []string, error) {
	if one, ok := oneSided(src); ok { // keeps its comments and its order of keys too
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

// oneSided merges base, ours and theirs where no more than one side has changed the bytes,
// or both alike.
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
