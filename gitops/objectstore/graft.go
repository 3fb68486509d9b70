package objectstore

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"chant/gitops/gitexec"
)

// Graft puts edits into a tree.
func (o *Store) Graft(ctx context.Context, tree string, edits []Edit) (string, error) {
	if !o.WritesHere() {
		return o.graftByIndex(ctx, tree, edits)
	}
	hash, err := o.graftHere(ctx, tree, edits)
	// Git has a tree object even for nothing.
	if err == nil && hash == "" {
		hash, err = o.Write(plumbing.TreeObject, nil)
	}
	return hash, err
}

// WritesHere reports whether objects can be written in process as git would write them.
func (o *Store) WritesHere() bool { return o.storage != nil && !o.site.Format.Shared }

// graftHere rebuilds a tree and those below it, in process; "" when nothing is left.
func (o *Store) graftHere(ctx context.Context, tree string, edits []Edit) (string, error) {
	var entries []Entry
	if tree != "" {
		var err error
		if entries, err = o.ReadTree(ctx, tree); err != nil {
			return "", err
		}
	}
	folders := map[string]string{}
	for _, e := range entries {
		if e.Dir {
			folders[e.Name] = e.Hash
		}
	}
	puts, deeper := map[string]Entry{}, map[string][]Edit{}
	for _, e := range edits {
		name, rest, nested := strings.Cut(e.Path, "/")
		if nested {
			deeper[name] = append(deeper[name], Edit{Path: rest, Mode: e.Mode, Hash: e.Hash})
			continue
		}
		puts[name] = Entry{Name: name, Mode: e.Mode, Hash: e.Hash}
	}
	for name, below := range deeper {
		sub := folders[name]
		// A file takes the place of the folder.
		if puts[name].Hash != "" {
			sub = ""
		}
		if sub == "" && !slices.ContainsFunc(below, func(e Edit) bool { return e.Hash != "" }) {
			// There is nothing to remove.
			continue
		}
		hash, err := o.graftHere(ctx, sub, below)
		if err != nil {
			return "", err
		}
		puts[name] = Entry{Name: name, Mode: ModeTree, Hash: hash, Dir: true}
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool {
		// The removal of a file does not take a folder of its name.
		put, found := puts[e.Name]
		return found && (put.Hash != "" || put.Dir || !e.Dir)
	})
	for _, e := range puts {
		// A folder that became empty has no hash and goes: git has no empty folders.
		if e.Hash != "" {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		return "", nil
	}
	raw, err := EncodeTree(entries)
	if err != nil {
		return "", fmt.Errorf("tree %q: %w", tree, err)
	}
	return o.Write(plumbing.TreeObject, raw)
}

// graftByIndex does the same through git and an index of its own.
func (o *Store) graftByIndex(ctx context.Context, tree string, edits []Edit) (hash string, err error) {
	scratch, err := os.MkdirTemp("", "chant-index-")
	if err != nil {
		return "", err
	}
	defer func() {
		if removeErr := os.RemoveAll(scratch); err == nil && removeErr != nil {
			err = fmt.Errorf("temporary index %q: %w", scratch, removeErr)
		}
	}()
	// A split index would leave its shared part in the git folder.
	run := func(stdin []byte, args ...string) ([]byte, error) {
		return o.git.Run(ctx, gitexec.Call{Dir: o.site.Home, Args: args, Stdin: stdin, Write: true,
			Settings: []string{"core.splitIndex=false", "core.fsmonitor=false"},
			Env:      []string{"GIT_INDEX_FILE=" + filepath.Join(scratch, "index")}})
	}
	if tree != "" {
		if _, err := run(nil, "read-tree", tree); err != nil {
			return "", err
		}
	}
	if _, err := run(o.IndexInfo(edits), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := run(nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// IndexInfo is what "git update-index --index-info" reads.
func (o *Store) IndexInfo(edits []Edit) []byte {
	none := strings.Repeat("0", 2*o.site.Format.HashSize)
	var info bytes.Buffer
	for _, e := range edits {
		// Mode 0 removes the path.
		if e.Hash == "" {
			fmt.Fprintf(&info, "0 %s\t%s\x00", none, e.Path)
			continue
		}
		fmt.Fprintf(&info, "%s %s\t%s\x00", e.Mode, e.Hash, e.Path)
	}
	return info.Bytes()
}
