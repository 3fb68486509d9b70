package versions

import (
	"reflect"
	"slices"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// version is the value of a key in one of three documents, of the front matter or of a mapping in it. The zero version
// means that the key is absent.
type version struct {
	value any        // nil if the key is absent
	node  *yaml.Node // the value as it is written, nil if the key is absent
}

func (v version) equals(o version) bool { return reflect.DeepEqual(v.value, o.value) }

// threeWays holds the three versions of one key.
type threeWays struct{ base, ours, theirs version }

// merge merges the versions of a key. If only one side changed it, the result is that side's version; if both did, join
// decides. change reports whether the result differs from ours; ok is false at a conflict.
func (w threeWays) merge(join func(threeWays) (version, bool)) (result version, change, ok bool) {
	switch {
	case w.ours.equals(w.theirs), w.base.equals(w.theirs):
		return w.ours, false, true
	case w.base.equals(w.ours):
		return w.theirs, true, true
	}
	result, ok = join(w)
	return result, ok && !result.equals(w.ours), ok
}

// versionsOf returns the versions of all keys of base, ours and theirs.
func versionsOf(docs [3]*markdown.Document) (map[string]threeWays, error) {
	out := map[string]threeWays{}
	for i, doc := range docs {
		keys, err := doc.Keys()
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			v, err := versionOf(doc, k)
			if err != nil {
				return nil, err
			}
			w := out[k]
			*[]*version{&w.base, &w.ours, &w.theirs}[i] = v
			out[k] = w
		}
	}
	return out, nil
}

// keysOf lists the keys of both sides, each once. They are in the order of ours, or in that of theirs if ours has the
// same keys in the same order as base, and theirs has all of them.
func keysOf(docs [3]*markdown.Document) ([]string, error) {
	var keys [3][]string
	for i, doc := range docs {
		var err error
		if keys[i], err = doc.Keys(); err != nil {
			return nil, err
		}
	}
	out, more := slices.Clone(keys[1]), keys[2]
	gone := func(k string) bool { return !slices.Contains(keys[2], k) }
	// Ours has not changed the order, so theirs may.
	if slices.Equal(keys[0], keys[1]) && !slices.ContainsFunc(keys[1], gone) {
		out, more = slices.Clone(keys[2]), keys[1]
	}
	for _, k := range more {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out, nil
}

// versionOf returns the version of a key in a document.
func versionOf(doc *markdown.Document, key string) (version, error) {
	var v version
	if found, err := doc.Get(key, &v.value); err != nil || !found {
		return version{}, err
	}
	v.node = &yaml.Node{}
	_, err := doc.Get(key, v.node)
	return v, err
}

// yamlValue returns the value as its document writes it, or its decoded value if it has anchors or aliases.
func (v version) yamlValue() any {
	// The decoded value does not depend on anchors of other keys, but it has lost its spelling: decoding turns 1.10 into
	// 1.1.
	if v.node == nil || !stripComments(v.node) {
		return v.value
	}
	return v.node
}

// stripComments removes the comments of a tree and reports whether it has no anchors and aliases. At the first one it
// stops.
func stripComments(node *yaml.Node) bool {
	node.HeadComment, node.LineComment, node.FootComment = "", "", ""
	return node.Anchor == "" && node.Alias == nil && !slices.ContainsFunc(node.Content, func(n *yaml.Node) bool { return !stripComments(n) })
}
