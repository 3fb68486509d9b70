package spec

import (
	"bytes"

	"chant/markdown"
)

// MergeBody merges three bodies line by line and reports whether they conflict.
type MergeBody func(base, ours, theirs []byte) (merged []byte, conflict bool, err error)

// Merge joins two versions of one spec file that began as base, key by key.
// What only one side changed is taken from that side, removals included; lists
// that both changed are joined item by item, a single text being a list of one, and
// mappings key by key; of two statuses the one further along wins, and what was noted
// with it stands beside it. An approval is one decision: that of one side, or a
// conflict, and never the word of one person under the name of another. A file that
// only one side changed is taken byte for byte. conflicts names the keys (and "body")
// that both sides changed in ways that cannot be joined: there the result holds ours.
func Merge(path string, base, ours, theirs []byte, body MergeBody) (merged []byte, conflicts []string, err error) {
	switch { // one side as it stands keeps its comments and its order of keys too
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return ours, nil, nil
	case bytes.Equal(base, ours):
		return theirs, nil, nil
	}
	var docs [3]*markdown.Document
	for i, src := range [][]byte{base, ours, theirs} {
		if docs[i], err = markdown.Parse(path, src); err != nil {
			return nil, nil, err
		}
	}
	edits, conflicts, err := mergeFields(docs[0], docs[1], docs[2])
	if err != nil {
		return nil, nil, err
	}
	out, err := docs[1].Apply(edits...)
	if err != nil {
		return nil, nil, err
	}
	text, clash, err := mergeBodies(docs, body)
	if err != nil {
		return nil, nil, err
	}
	if clash {
		conflicts = append(conflicts, "body")
	}
	return out.WithBody(text).Bytes(), conflicts, nil
}

func mergeBodies(docs [3]*markdown.Document, merge MergeBody) ([]byte, bool, error) {
	base, ours, theirs := docs[0].Body(), docs[1].Body(), docs[2].Body()
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return ours, false, nil
	case bytes.Equal(base, ours):
		return theirs, false, nil
	}
	return merge(base, ours, theirs)
}
