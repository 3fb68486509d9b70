package fileset

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// NoFiles is the digest of an entry that matches no file.
const NoFiles = "none"

// TreeFile is a file of a commit: its path, and the id of its blob.
type TreeFile struct{ Path, Hash string }

// Digest is an entry of a spec with the digest of the files that it matched in a tree.
type Digest struct{ Entry, Sum string }

// Digests are the digests of a spec's entries, in their order. In the front matter they are a mapping with a line for
// each entry.
type Digests []Digest

// Find returns the digest of an entry, "" if there is none.
func (d Digests) Find(entry string) string {
	for _, one := range d {
		if one.Entry == entry {
			return one.Sum
		}
	}
	return ""
}

// MarshalYAML writes a mapping in the order of the entries.
func (d Digests) MarshalYAML() (any, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, one := range d {
		var key, value yaml.Node
		// An entry may look like a number or another YAML value.
		key.SetString(one.Entry)
		value.SetString(one.Sum)
		node.Content = append(node.Content, &key, &value)
	}
	return node, nil
}

// UnmarshalYAML accepts any value. A value that is not a mapping is ignored, so that the spec remains readable.
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

// Tree lists the files of a commit in the order of their paths.
type Tree []TreeFile

// Matching lists the files that match an entry of the spec id. The spec's own file never matches, and files below
// .chant match only if the entry begins with .chant.
func (t Tree) Matching(id, entry string) []TreeFile {
	inside := strings.HasPrefix(cleanEntry(entry), ".chant")
	var out []TreeFile
	// The paths are in order, so only a part of them has to be matched.
	for _, f := range t.withPrefixOf(entry) {
		own := strings.HasPrefix(f.Path, ".chant/")
		// A changed status is not a change of what a spec describes.
		if own && (!inside || path.Base(f.Path) == id+".md") || !Match(entry, f.Path) {
			continue
		}
		out = append(out, f)
	}
	return out
}

// withPrefixOf returns the part of the tree whose paths begin like the entry, up to its first glob character.
func (t Tree) withPrefixOf(entry string) Tree {
	start := cleanEntry(entry)
	if start == "." {
		return t
	}
	// Everything after the first glob character can differ.
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

// Digests returns the digests of the entries of the spec id in a tree.
func (t Tree) Digests(id string, entries []string) Digests {
	var out Digests
	for _, entry := range entries {
		out = append(out, Digest{entry, digest(t.Matching(id, entry))})
	}
	return out
}

func digest(files []TreeFile) string {
	if len(files) == 0 {
		return NoFiles
	}
	h := sha256.New()
	for _, f := range files {
		// Zero and newline keep the end of one name from looking like the beginning of another.
		h.Write([]byte(f.Path + "\x00" + f.Hash + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil)[:20])
}
