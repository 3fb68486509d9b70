package spec

import (
	"bytes"
	"reflect"
	"slices"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// MergeBody merges three bodies line by line and reports whether they conflict.
type MergeBody func(base, ours, theirs []byte) (merged []byte, conflict bool, err error)

// Merge joins two versions of one spec file that began as base, key by key.
// What only one side changed is taken from that side, removals included; lists
// that both changed are joined item by item; of two statuses the one further
// along wins. conflicts names the keys (and "body") that both sides changed in
// ways that cannot be joined: there the result holds ours.
func Merge(path string, base, ours, theirs []byte, body MergeBody) (merged []byte, conflicts []string, err error) {
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

// mergeFields returns the edits that turn ours into the merge.
func mergeFields(base, ours, theirs *markdown.Document) (edits []markdown.Edit, conflicts []string, err error) {
	var keys []string
	for _, doc := range []*markdown.Document{ours, theirs} {
		more, err := doc.Keys()
		if err != nil {
			return nil, nil, err
		}
		for _, k := range more {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	for _, k := range keys {
		b, o, t := valueOf(base, k), valueOf(ours, k), valueOf(theirs, k)
		if reflect.DeepEqual(o, t) || reflect.DeepEqual(b, t) {
			continue
		}
		next, ok := t, true
		if !reflect.DeepEqual(b, o) {
			next, ok = join(k, b, o, t)
		}
		switch {
		case !ok:
			conflicts = append(conflicts, k)
		case next == nil:
			edits = append(edits, markdown.Unset(k))
		default:
			edits = append(edits, markdown.Set(k, next))
		}
	}
	return edits, conflicts, nil
}

// valueOf decodes one key loosely; nil when it is absent.
func valueOf(doc *markdown.Document, key string) any {
	var node yaml.Node
	if ok, err := doc.Get(key, &node); err != nil || !ok {
		return nil
	}
	var v any
	if err := node.Decode(&v); err != nil {
		return nil
	}
	return v
}

// join settles a key that both sides changed.
func join(key string, base, ours, theirs any) (any, bool) {
	if key == "status" {
		o, oErr := statusOf(ours)
		t, tErr := statusOf(theirs)
		if oErr != nil || tErr != nil {
			return ours, false
		}
		if rank(t) > rank(o) {
			return string(t), true
		}
		return string(o), true
	}
	ol, oOK := ours.([]any)
	tl, tOK := theirs.([]any)
	if oOK && tOK {
		bl, _ := base.([]any)
		return joinLists(bl, ol, tl), true
	}
	return ours, false
}

// joinLists keeps what both have or one added, and drops what one removed.
func joinLists(base, ours, theirs []any) []any {
	has := func(list []any, v any) bool {
		return slices.ContainsFunc(list, func(o any) bool { return reflect.DeepEqual(o, v) })
	}
	out := []any{}
	for _, v := range ours {
		if has(theirs, v) || !has(base, v) {
			out = append(out, v)
		}
	}
	for _, v := range theirs {
		if !has(ours, v) && !has(base, v) {
			out = append(out, v)
		}
	}
	return out
}

func statusOf(v any) (Status, error) {
	word, _ := v.(string)
	return ParseStatus(word)
}

// rank says which of two statuses wins a merge: an end wins over what is under
// way, and a person's cancel wins over everything but finished work.
func rank(s Status) int {
	return slices.Index([]Status{Pending, Paused, InProgress, Failed, NeedsAttention, Cancelled, Completed}, s)
}
