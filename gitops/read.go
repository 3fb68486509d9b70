package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Entry is one name in a folder of a commit. Mode is git's, such as "100644" or "040000".
type Entry struct {
	Name, Hash string
	Mode       string
	Dir        bool
}

// Resolve is the commit that rev names. A full ref name, a branch, HEAD (of the worktree
// in which Open was called) and a whole hash start no process; anything else that
// gitrevisions(7) knows is left to "git rev-parse". A branch goes before a tag of the
// same name. Errors: ErrNotFound, ErrUnborn for HEAD.
func (r *Repo) Resolve(ctx context.Context, rev string) (string, error) {
	hash, err := r.lookup(ctx, rev)
	if err != nil {
		return "", err
	}
	hash, kind, _, err := r.peel(ctx, hash)
	if err == nil && kind != kindCommit {
		err = fmt.Errorf("revision %q is a %s, not a commit: %w", rev, kind, ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	return hash, nil
}

// ReadFile is the content of path, slash-separated from the top, in a commit or tree.
// It starts no process. ErrNotFound also where path is a folder, a submodule or a link.
func (r *Repo) ReadFile(ctx context.Context, rev, path string) ([]byte, error) {
	entry, err := r.find(ctx, rev, path)
	if err != nil {
		return nil, err
	}
	if entry.Dir || entry.Mode == modeSubmodule || entry.Mode == modeSymlink {
		return nil, fmt.Errorf("path %q in %q is not a file: %w", path, rev, ErrNotFound)
	}
	return r.ReadBlob(ctx, entry.Hash)
}

// ReadLink is where the symbolic link path leads in a commit or tree, as it was written.
// ErrNotFound where path is none.
func (r *Repo) ReadLink(ctx context.Context, rev, path string) (string, error) {
	entry, err := r.find(ctx, rev, path)
	if err != nil {
		return "", err
	}
	if entry.Mode != modeSymlink {
		return "", fmt.Errorf("path %q in %q is not a link: %w", path, rev, ErrNotFound)
	}
	target, err := r.ReadBlob(ctx, entry.Hash)
	return string(target), err
}

// ReadDir lists the folder path ("" or "." for the top) of a commit or tree in git's
// order, without a process. Errors: ErrNotFound, also where path is a file.
func (r *Repo) ReadDir(ctx context.Context, rev, path string) ([]Entry, error) {
	entry, err := r.find(ctx, rev, path)
	if err != nil {
		return nil, err
	}
	if !entry.Dir {
		return nil, fmt.Errorf("path %q in %q is not a folder: %w", path, rev, ErrNotFound)
	}
	return r.readTree(ctx, entry.Hash)
}

// ReadBlob is the content of a blob by its hash, without a process. Errors: ErrNotFound.
func (r *Repo) ReadBlob(ctx context.Context, hash string) ([]byte, error) {
	if !layout.IsHash(hash) {
		return nil, fmt.Errorf("blob %q: %w", hash, ErrNotFound)
	}
	kind, data, err := r.objects.read(ctx, hash)
	if err == nil && kind != kindBlob {
		err = fmt.Errorf("object %q is a %s, not a blob: %w", hash, kind, ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// lookup finds the object that rev names, perhaps a tag.
func (r *Repo) lookup(ctx context.Context, rev string) (string, error) {
	switch {
	case layout.IsHash(rev):
		return strings.ToLower(rev), nil
	case rev == "HEAD":
		head, err := r.Head(ctx, r.site.Dir)
		return head.Hash, err
	case strings.HasPrefix(rev, "refs/"):
		hash, err := r.readRef(ctx, rev)
		if !errors.Is(err, ErrNotFound) || strings.HasPrefix(rev, layout.Heads) && layout.ValidRef(rev) {
			return hash, err
		}
	}
	if hash, err := r.readRef(ctx, layout.Heads+rev); !errors.Is(err, ErrNotFound) {
		return hash, err
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Dir, Args: []string{"rev-parse", "-q", "--verify", "--end-of-options", rev}})
	var failed *GitError
	if errors.As(err, &failed) && !strings.Contains(failed.Stderr, "dubious ownership") {
		return "", fmt.Errorf("revision %q: %w", rev, ErrNotFound)
	}
	return strings.TrimSpace(string(out)), err
}

// peel follows tags to a commit or tree and reads it.
func (r *Repo) peel(ctx context.Context, hash string) (name, kind string, data []byte, err error) {
	for range 10 {
		kind, data, err = r.objects.read(ctx, hash)
		if err != nil || kind != kindTag {
			return hash, kind, data, err
		}
		line, _, _ := strings.Cut(string(data), "\n")
		hash = strings.TrimPrefix(line, "object ")
	}
	return "", "", nil, fmt.Errorf("tag %q leads to no commit: %w", hash, ErrNotFound)
}

// treeOf is the tree of a commit, or the tree that rev itself names.
func (r *Repo) treeOf(ctx context.Context, rev string) (string, error) {
	hash, err := r.lookup(ctx, rev)
	if err != nil {
		return "", err
	}
	hash, kind, data, err := r.peel(ctx, hash)
	switch {
	case err != nil:
		return "", err
	case kind == kindTree:
		return hash, nil
	case kind == kindCommit:
		return parseCommit(hash, data).Tree, nil
	}
	return "", fmt.Errorf("revision %q is a %s: %w", rev, kind, ErrNotFound)
}

// find walks from the top of rev down to name.
func (r *Repo) find(ctx context.Context, rev, name string) (Entry, error) {
	tree, err := r.treeOf(ctx, rev)
	if err != nil {
		return Entry{}, err
	}
	entry := Entry{Hash: tree, Mode: modeTree, Dir: true}
	clean := path.Clean(name)
	if clean == "." {
		return entry, nil
	}
	if !fs.ValidPath(clean) {
		return Entry{}, fmt.Errorf("path %q: %w", name, ErrNotFound)
	}
	for part := range strings.SplitSeq(clean, "/") {
		var found bool
		if entry.Dir {
			if entry, found, err = r.child(ctx, entry.Hash, part); err != nil {
				return Entry{}, err
			}
		}
		if !found {
			return Entry{}, fmt.Errorf("path %q in %q: %w", name, rev, ErrNotFound)
		}
	}
	return entry, nil
}
