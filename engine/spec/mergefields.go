package spec

import (
	"reflect"
	"slices"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// version is what one of three documents says: of a key of its front matter, or of a key
// inside of one. The zero version says nothing.
type version struct {
	value any        // nil when the key is absent
	node  *yaml.Node // as it is written, nil when absent
}

func (v version) is(o version) bool { return reflect.DeepEqual(v.value, o.value) }

// threeWays are the versions of one key.
type threeWays struct{ base, ours, theirs version }

// merged settles a key: what only one side changed is that side's, what both changed is
// for join. change tells that the result is not what ours has.
func (w threeWays) merged(join func(threeWays) (version, bool)) (result version, change, ok bool) {
	switch {
	case w.ours.is(w.theirs), w.base.is(w.theirs):
		return w.ours, false, true
	case w.base.is(w.ours):
		return w.theirs, true, true
	}
	result, ok = join(w)
	return result, ok && !result.is(w.ours), ok
}

// mergeFields returns the edits that turn ours into the merge.
func mergeFields(base, ours, theirs *markdown.Document) (edits []markdown.Edit, conflicts []string, err error) {
	keys, err := keysOf(ours, theirs)
	if err != nil {
		return nil, nil, err
	}
	fields := map[string]threeWays{}
	for _, k := range keys {
		var w threeWays
		for doc, v := range map[*markdown.Document]*version{base: &w.base, ours: &w.ours, theirs: &w.theirs} {
			if *v, err = versionOf(doc, k); err != nil {
				return nil, nil, err
			}
		}
		fields[k] = w
	}
	for _, k := range keys {
		next, change, ok := fields[k].merged(joining(k, fields["status"]))
		switch {
		case !ok:
			conflicts = append(conflicts, k)
		case change && next.value == nil:
			edits = append(edits, markdown.Unset(k))
		case change:
			edits = append(edits, markdown.Set(k, next.written()))
		}
	}
	return edits, conflicts, nil
}

// keysOf lists the keys of both documents, each once.
func keysOf(ours, theirs *markdown.Document) ([]string, error) {
	keys, err := ours.Keys()
	if err != nil {
		return nil, err
	}
	more, err := theirs.Keys()
	for _, k := range more {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys, err
}

// versionOf decodes one key loosely.
func versionOf(doc *markdown.Document, key string) (version, error) {
	var v version
	if found, err := doc.Get(key, &v.value); err != nil || !found {
		return version{}, err
	}
	v.node = &yaml.Node{}
	_, err := doc.Get(key, v.node)
	return v, err
}

// written is the value in the spelling of its document: 1.10 as a number is 1.1. Where
// anchors tie it to other keys, it is what it reads as.
func (v version) written() any {
	if v.node == nil || !standsAlone(v.node) {
		return v.value
	}
	return v.node
}

// standsAlone reports whether a tree has no anchors, and takes its comments off.
func standsAlone(node *yaml.Node) bool {
	node.HeadComment, node.LineComment, node.FootComment = "", "", ""
	return node.Anchor == "" && node.Alias == nil && !slices.ContainsFunc(node.Content, func(n *yaml.Node) bool { return !standsAlone(n) })
}
