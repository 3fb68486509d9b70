package gitops

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

// WriteTree stores a copy of tree (a tree or commit; "" for an empty one) with these files
// put in and returns its hash. A folder left empty goes, a folder in the way of a file is
// replaced.
func (r *Repo) WriteTree(ctx context.Context, tree string, files []File) (string, error) {
	edits, err := r.store(ctx, r.site.Home, files)
	if err != nil {
		return "", err
	}
	if tree != "" {
		if tree, err = r.treeOf(ctx, tree); err != nil {
			return "", err
		}
	}
	return r.graft(ctx, tree, edits)
}

// graft puts edits into a tree.
func (r *Repo) graft(ctx context.Context, tree string, edits []edit) (string, error) {
	if !r.writesHere() {
		return r.graftByIndex(ctx, tree, edits)
	}
	hash, err := r.graftHere(ctx, tree, edits)
	if err == nil && hash == "" {
		hash, err = r.objects.write(plumbing.TreeObject, nil)
	}
	return hash, err
}

// writesHere tells whether objects can be written in process as git would write them.
func (r *Repo) writesHere() bool { return r.objects.store != nil && !r.site.Format.Shared }

// graftHere rebuilds a tree and those below it, in process; "" when nothing is left.
func (r *Repo) graftHere(ctx context.Context, tree string, edits []edit) (string, error) {
	var entries []Entry
	if tree != "" {
		var err error
		if entries, err = r.readTree(ctx, tree); err != nil {
			return "", err
		}
	}
	deeper := map[string][]edit{}
	for _, e := range edits {
		name, rest, nested := strings.Cut(e.path, "/")
		if nested {
			deeper[name] = append(deeper[name], edit{path: rest, mode: e.mode, hash: e.hash})
			continue
		}
		entries = put(entries, Entry{Name: name, Mode: e.mode, Hash: e.hash})
	}
	for name, below := range deeper {
		sub := ""
		if i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name && e.Dir }); i >= 0 {
			sub = entries[i].Hash
		} else if !slices.ContainsFunc(below, func(e edit) bool { return e.hash != "" }) {
			continue // nothing there to remove
		}
		hash, err := r.graftHere(ctx, sub, below)
		if err != nil {
			return "", err
		}
		entries = put(entries, Entry{Name: name, Mode: modeTree, Hash: hash, Dir: true})
	}
	if len(entries) == 0 {
		return "", nil
	}
	raw, err := encodeTree(entries)
	if err != nil {
		return "", err
	}
	return r.objects.write(plumbing.TreeObject, raw)
}

// put replaces, adds or, without a hash, removes an entry; a file's removal does not
// take a folder of that name.
func put(entries []Entry, e Entry) []Entry {
	i := slices.IndexFunc(entries, func(old Entry) bool { return old.Name == e.Name })
	switch {
	case i < 0 && e.Hash == "":
		return entries
	case i < 0:
		return append(entries, e)
	case e.Hash != "":
		entries[i] = e
		return entries
	case entries[i].Dir && !e.Dir:
		return entries
	}
	return slices.Delete(entries, i, i+1)
}

// graftByIndex does the same through git and an index of its own.
func (r *Repo) graftByIndex(ctx context.Context, tree string, edits []edit) (hash string, err error) {
	scratch, err := os.MkdirTemp("", "chant-index-")
	if err != nil {
		return "", err
	}
	defer func() {
		if removeErr := os.RemoveAll(scratch); err == nil && removeErr != nil {
			err = fmt.Errorf("temporary index %q: %w", scratch, removeErr)
		}
	}()
	run := func(stdin []byte, args ...string) ([]byte, error) {
		return r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: args, Stdin: stdin, Write: true,
			Settings: []string{"core.splitIndex=false", "core.fsmonitor=false"},
			Env:      []string{"GIT_INDEX_FILE=" + filepath.Join(scratch, "index")}})
	}
	if tree != "" {
		if _, err := run(nil, "read-tree", tree); err != nil {
			return "", err
		}
	}
	if _, err := run(r.indexInfo(edits), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := run(nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// indexInfo is what "git update-index --index-info" reads.
func (r *Repo) indexInfo(edits []edit) []byte {
	none := strings.Repeat("0", 2*r.site.Format.HashSize)
	var info bytes.Buffer
	for _, e := range edits {
		if e.hash == "" {
			fmt.Fprintf(&info, "0 %s\t%s\x00", none, e.path)
			continue
		}
		fmt.Fprintf(&info, "%s %s\t%s\x00", e.mode, e.hash, e.path)
	}
	return info.Bytes()
}
