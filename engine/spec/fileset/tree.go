package fileset

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// NothingMeant is the digest of an entry that means no file.
const NothingMeant = "none"

// TreeFile is a file of a commit: its path, and git's name for its content.
type TreeFile struct{ Path, Hash string }

// Digest is what an entry of a spec meant in a tree, in one word.
type Digest struct{ Entry, Sum string }

// Digests are those of a spec's entries, in their order. In the front matter they are
// a map with a line for each.
type Digests []Digest

// Of is the digest of an entry, "" when there is none.
func (d Digests) Of(entry string) string {
	for _, one := range d {
		if one.Entry == entry {
			return one.Sum
		}
	}
	return ""
}

// MarshalYAML keeps the order.
func (d Digests) MarshalYAML() (any, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, one := range d {
		var key, value yaml.Node
		key.SetString(one.Entry)
		value.SetString(one.Sum)
		node.Content = append(node.Content, &key, &value)
	}
	return node, nil
}

// UnmarshalYAML takes any value: what is no map of digests says nothing, and is no
// reason to lose the spec.
func (d *Digests) UnmarshalYAML(node *yaml.Node) error {
	*d = nil
	if node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		*d = append(*d, Digest{node.Content[i].Value, node.Content[i+1].Value})
	}
	return nil
}

// Tree is the files of a commit in order of their paths.
type Tree []TreeFile

// Meant lists the files that an entry of the spec id means. The spec's own file is
// none of them, and what lies below .chant only where the entry begins there: a status
// that changes is no change of what a spec says.
func (t Tree) Meant(id, entry string) []TreeFile {
	inside := strings.HasPrefix(cleanEntry(entry), ".chant")
	var out []TreeFile
	for _, f := range t.below(entry) {
		own := strings.HasPrefix(f.Path, ".chant/")
		if own && (!inside || path.Base(f.Path) == id+".md") || !Match(entry, f.Path) {
			continue
		}
		out = append(out, f)
	}
	return out
}

// below is the part of the tree that an entry can mean: that which begins like it, up
// to the first character of a glob.
func (t Tree) below(entry string) Tree {
	start := cleanEntry(entry)
	if start == "." {
		return t
	}
	if at := strings.IndexAny(start, `*?[{\`); at >= 0 {
		start = start[:at]
	}
	from, _ := slices.BinarySearchFunc(t, start, func(f TreeFile, want string) int { return strings.Compare(f.Path, want) })
	to := from
	for to < len(t) && strings.HasPrefix(t[to].Path, start) {
		to++
	}
	return t[from:to]
}

// Digests are those of the entries in a tree, as the spec id means them.
func (t Tree) Digests(id string, entries []string) Digests {
	var out Digests
	for _, entry := range entries {
		out = append(out, Digest{entry, digest(t.Meant(id, entry))})
	}
	return out
}

func digest(files []TreeFile) string {
	if len(files) == 0 {
		return NothingMeant
	}
	h := sha256.New()
	for _, f := range files {
		h.Write([]byte(f.Path + "\x00" + f.Hash + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil)[:20])
}
