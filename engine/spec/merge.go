package spec

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// MergeBody merges three bodies line by line and reports whether they conflict.
type MergeBody func(base, ours, theirs []byte) (merged []byte, conflict bool, err error)

// Merge joins two versions of one spec file that began as base, key by key.
// What only one side changed is taken from that side, removals included; lists
// that both changed are joined item by item, a single text being a list of one;
// of two statuses the one further along wins. A file that only one side changed
// is taken byte for byte. conflicts names the keys (and "body") that both sides changed in
// ways that cannot be joined: there the result holds ours.
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
		var vals [3]any
		for i, doc := range []*markdown.Document{base, ours, theirs} {
			if vals[i], err = valueOf(doc, k); err != nil {
				return nil, nil, err
			}
		}
		b, o, t := vals[0], vals[1], vals[2]
		if reflect.DeepEqual(o, t) || reflect.DeepEqual(b, t) {
			continue
		}
		next, ok := asWritten(theirs, k, t), true
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
func valueOf(doc *markdown.Document, key string) (v any, err error) {
	_, err = doc.Get(key, &v)
	return v, err
}

// asWritten is the value of a key in the spelling of its document: 1.10 as a
// number is 1.1. Where anchors tie it to other keys, it is v, what it reads as.
func asWritten(doc *markdown.Document, key string, v any) any {
	var node yaml.Node
	if _, err := doc.Get(key, &node); v == nil || err != nil || !standsAlone(&node) {
		return v
	}
	return &node
}

// standsAlone reports whether a tree has no anchors, and takes its comments off.
func standsAlone(node *yaml.Node) bool {
	node.HeadComment, node.LineComment, node.FootComment = "", "", ""
	return node.Anchor == "" && node.Alias == nil && !slices.ContainsFunc(node.Content, func(n *yaml.Node) bool { return !standsAlone(n) })
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
	_, oList := ours.([]any)
	_, tList := theirs.([]any)
	ol, oOK := listOf(ours)
	tl, tOK := listOf(theirs)
	if (oList || tList) && oOK && tOK {
		bl, _ := listOf(base)
		return joinLists(bl, ol, tl), true
	}
	return ours, false
}

// listOf reads a list, and a single text as a list of one.
func listOf(v any) ([]any, bool) {
	if text, ok := v.(string); ok {
		return []any{text}, true
	}
	list, ok := v.([]any)
	return list, ok
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
	word, ok := v.(string)
	if !ok && v != nil {
		word = fmt.Sprint(v)
	}
	return ParseStatus(word)
}

// rank says which of two statuses wins a merge: an end wins over what is under
// way, and a person's cancel wins over everything but finished work.
func rank(s Status) int {
	return slices.Index([]Status{Pending, Paused, InProgress, Failed, NeedsAttention, Cancelled, Completed}, s)
}
