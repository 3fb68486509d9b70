package versions

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

// versionsOf are the versions of the keys that base, ours and theirs have.
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

// keysOf lists the keys of both sides, each once: in the order of ours, or in that of
// theirs where ours has kept that of base and theirs has them all.
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
