package objectstore

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"

	"chant/gitops/layout"
)

// Entry is one name in a folder of a commit. Mode is git's, such as "100644" or "040000".
type Entry struct {
	Name, Hash string
	Mode       string
	Dir        bool
}

// IsFile reports whether the entry is a file. A link is none: its blob is the path to which it leads.
func (e Entry) IsFile() bool { return !e.Dir && e.Mode != ModeSymlink && e.Mode != ModeSubmodule }

// Modes of tree entries.
const (
	ModeFile       = "100644"
	ModeExecutable = "100755"
	ModeTree       = "040000"
	ModeSubmodule  = "160000"
	ModeSymlink    = "120000"
)

// ReadTree lists a tree.
func (o *Store) ReadTree(ctx context.Context, hash string) ([]Entry, error) {
	raw, err := o.rawTree(ctx, hash)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for line, err := range treeLines(raw, o.site.Format.HashSize) {
		if err != nil {
			return nil, fmt.Errorf("tree %q: %w", hash, err)
		}
		entries = append(entries, line.entry())
	}
	return entries, nil
}

// Child finds one name in a tree.
func (o *Store) Child(ctx context.Context, tree, name string) (Entry, bool, error) {
	raw, err := o.rawTree(ctx, tree)
	if err != nil {
		return Entry{}, false, err
	}
	for line, err := range treeLines(raw, o.site.Format.HashSize) {
		if err != nil {
			return Entry{}, false, fmt.Errorf("tree %q: %w", tree, err)
		}
		if string(line.name) == name {
			return line.entry(), true, nil
		}
	}
	return Entry{}, false, nil
}

func (o *Store) rawTree(ctx context.Context, hash string) ([]byte, error) {
	kind, raw, err := o.Read(ctx, hash)
	if err == nil && kind != KindTree {
		err = fmt.Errorf("object %q is a %s, not a tree: %w", hash, kind, layout.ErrNotFound)
	}
	return raw, err
}

// treeLine is one entry as it lies in the object.
type treeLine struct{ mode, name, hash []byte }

func (l treeLine) entry() Entry {
	mode := string(l.mode)
	if mode == "40000" {
		// Trees hold the mode without the leading zero, git prints it with one.
		mode = ModeTree
	}
	return Entry{Name: string(l.name), Hash: hex.EncodeToString(l.hash), Mode: mode, Dir: mode == ModeTree}
}

// treeLines walks a tree object: mode, space, name, NUL, hash of hashSize bytes.
func treeLines(raw []byte, hashSize int) iter.Seq2[treeLine, error] {
	return func(yield func(treeLine, error) bool) {
		for len(raw) > 0 {
			mode, rest, hasMode := bytes.Cut(raw, []byte(" "))
			name, rest, hasName := bytes.Cut(rest, []byte{0})
			// A broken tree ends the walk with an error: what follows in it means nothing.
			if !hasMode || !hasName || len(rest) < hashSize {
				yield(treeLine{}, fmt.Errorf("broken entry after %q", name))
				return
			}
			if !yield(treeLine{mode, name, rest[:hashSize]}, nil) {
				return
			}
			raw = rest[hashSize:]
		}
	}
}

// EncodeTree returns the tree object of these entries, put in git's order.
func EncodeTree(entries []Entry) ([]byte, error) {
	// Git finds names by bisection, so an entry in another place would be missing for it.
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(SortName(a), SortName(b)) })
	var raw []byte
	for _, e := range entries {
		hash, err := hex.DecodeString(e.Hash)
		if err != nil {
			return nil, fmt.Errorf("entry %q: %w", e.Name, err)
		}
		raw = append(raw, strings.TrimPrefix(e.Mode, "0")+" "+e.Name+"\x00"...)
		raw = append(raw, hash...)
	}
	return raw, nil
}

// SortName is the name by which git orders an entry: that of a folder ends in a slash.
func SortName(e Entry) string {
	if e.Dir {
		return e.Name + "/"
	}
	return e.Name
}
