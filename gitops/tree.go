package gitops

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Modes of tree entries.
const (
	modeFile       = "100644"
	modeExecutable = "100755"
	modeTree       = "040000"
	modeSubmodule  = "160000"
	modeSymlink    = "120000"
)

// readTree lists a tree.
func (r *Repo) readTree(ctx context.Context, hash string) ([]Entry, error) {
	raw, err := r.rawTree(ctx, hash)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for line, err := range treeLines(raw, r.site.Format.HashSize) {
		if err != nil {
			return nil, fmt.Errorf("tree %q: %w", hash, err)
		}
		entries = append(entries, line.entry())
	}
	return entries, nil
}

// child finds one name in a tree.
func (r *Repo) child(ctx context.Context, tree, name string) (Entry, bool, error) {
	raw, err := r.rawTree(ctx, tree)
	if err != nil {
		return Entry{}, false, err
	}
	for line, err := range treeLines(raw, r.site.Format.HashSize) {
		if err != nil {
			return Entry{}, false, fmt.Errorf("tree %q: %w", tree, err)
		}
		if string(line.name) == name {
			return line.entry(), true, nil
		}
	}
	return Entry{}, false, nil
}

func (r *Repo) rawTree(ctx context.Context, hash string) ([]byte, error) {
	kind, raw, err := r.objects.read(ctx, hash)
	if err == nil && kind != kindTree {
		err = fmt.Errorf("object %q is a %s, not a tree: %w", hash, kind, ErrNotFound)
	}
	return raw, err
}

// treeLine is one entry as it lies in the object.
type treeLine struct{ mode, name, hash []byte }

func (l treeLine) entry() Entry {
	mode := string(l.mode)
	if mode == "40000" {
		mode = modeTree // as git prints it
	}
	return Entry{Name: string(l.name), Hash: hex.EncodeToString(l.hash), Mode: mode, Dir: mode == modeTree}
}

// treeLines walks a tree object: mode, space, name, NUL, hash of hashSize bytes.
func treeLines(raw []byte, hashSize int) iter.Seq2[treeLine, error] {
	return func(yield func(treeLine, error) bool) {
		for len(raw) > 0 {
			mode, rest, hasMode := bytes.Cut(raw, []byte(" "))
			name, rest, hasName := bytes.Cut(rest, []byte{0})
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

// encodeTree is the object of these entries, put in git's order.
func encodeTree(entries []Entry) ([]byte, error) {
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(sortName(a), sortName(b)) })
	var raw bytes.Buffer
	for _, e := range entries {
		hash, err := hex.DecodeString(e.Hash)
		if err != nil {
			return nil, fmt.Errorf("entry %q: %w", e.Name, err)
		}
		raw.WriteString(strings.TrimPrefix(e.Mode, "0"))
		raw.WriteByte(' ')
		raw.WriteString(e.Name)
		raw.WriteByte(0)
		raw.Write(hash)
	}
	return raw.Bytes(), nil
}

// sortName orders a folder as if its name ended in a slash.
func sortName(e Entry) string {
	if e.Dir {
		return e.Name + "/"
	}
	return e.Name
}
