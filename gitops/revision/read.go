package revision

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
	"chant/gitops/refstore"
)

// Reader finds what revisions name, and reads commits, folders and files from there.
// Its fields are set once, when it is made.
type Reader struct {
	Git     *gitexec.Runner
	Site    *layout.Site
	Refs    *refstore.Store
	Objects *objectstore.Store

	ancestry ancestry
}

// Resolve is the commit that rev names. A full ref name, a branch, HEAD (of the worktree
// in which Open was called) and a whole hash start no process; anything else that
// gitrevisions(7) knows is left to "git rev-parse". A branch goes before a tag of the
// same name. Errors: ErrNotFound, ErrUnborn for HEAD.
func (r *Reader) Resolve(ctx context.Context, rev string) (string, error) {
	if strings.HasPrefix(rev, layout.Heads) && layout.ValidRef(rev) {
		// Git lets a branch name nothing but a commit, so the object need not be read: with 100,000 files that takes 15 ms.
		return r.Refs.Read(ctx, rev)
	}
	hash, err := r.lookup(ctx, rev)
	if err != nil {
		return "", err
	}
	hash, kind, _, err := r.peel(ctx, hash)
	if err == nil && kind != objectstore.KindCommit {
		err = fmt.Errorf("revision %q is a %s, not a commit: %w", rev, kind, layout.ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	return hash, nil
}

// ReadFile is the content of path, slash-separated from the top, in a commit or tree.
// It starts no process. ErrNotFound also where path is a folder, a submodule or a link.
func (r *Reader) ReadFile(ctx context.Context, rev, path string) ([]byte, error) {
	entry, err := r.Entry(ctx, rev, path)
	if err != nil {
		return nil, err
	}
	if !entry.IsFile() {
		return nil, fmt.Errorf("path %q in %q is not a file: %w", path, rev, layout.ErrNotFound)
	}
	return r.ReadBlob(ctx, entry.Hash)
}

// ReadLink is where the symbolic link path leads in a commit or tree, as it was written.
// ErrNotFound where path is none.
func (r *Reader) ReadLink(ctx context.Context, rev, path string) (string, error) {
	entry, err := r.Entry(ctx, rev, path)
	if err != nil {
		return "", err
	}
	if entry.Mode != objectstore.ModeSymlink {
		return "", fmt.Errorf("path %q in %q is not a link: %w", path, rev, layout.ErrNotFound)
	}
	target, err := r.ReadBlob(ctx, entry.Hash)
	return string(target), err
}

// ReadDir lists the folder path ("" or "." for the top) of a commit or tree in git's
// order, without a process. Errors: ErrNotFound, also where path is a file.
func (r *Reader) ReadDir(ctx context.Context, rev, path string) ([]objectstore.Entry, error) {
	entry, err := r.Entry(ctx, rev, path)
	if err != nil {
		return nil, err
	}
	if !entry.Dir {
		return nil, fmt.Errorf("path %q in %q is not a folder: %w", path, rev, layout.ErrNotFound)
	}
	return r.Objects.ReadTree(ctx, entry.Hash)
}

// ReadBlob is the content of a blob by its hash, without a process. Errors: ErrNotFound.
func (r *Reader) ReadBlob(ctx context.Context, hash string) ([]byte, error) {
	if !layout.IsHash(hash) {
		return nil, fmt.Errorf("blob %q: %w", hash, layout.ErrNotFound)
	}
	kind, data, err := r.Objects.Read(ctx, hash)
	if err == nil && kind != objectstore.KindBlob {
		err = fmt.Errorf("object %q is a %s, not a blob: %w", hash, kind, layout.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// lookup finds the object that rev names, perhaps a tag.
func (r *Reader) lookup(ctx context.Context, rev string) (string, error) {
	switch {
	case layout.IsHash(rev):
		return strings.ToLower(rev), nil
	case rev == "HEAD":
		head, err := r.Refs.Head(ctx, r.Site.Dir)
		return head.Hash, err
	case strings.HasPrefix(rev, "refs/"):
		hash, err := r.Refs.Read(ctx, rev)
		if !errors.Is(err, layout.ErrNotFound) || strings.HasPrefix(rev, layout.Heads) && layout.ValidRef(rev) {
			return hash, err
		}
	}
	// A branch goes before a tag of the same name, as the rest of chant names branches.
	if hash, err := r.Refs.Read(ctx, layout.Heads+rev); !errors.Is(err, layout.ErrNotFound) {
		return hash, err
	}
	// An argument that begins with a dash must not be an option.
	out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Dir, Args: []string{"rev-parse", "-q", "--verify", "--end-of-options", rev}})
	var failed *gitexec.Error
	// Git has one exit code for all of its refusals; that it distrusts the owner is the one that says nothing about the
	// revision.
	if errors.As(err, &failed) && !strings.Contains(failed.Stderr, "dubious ownership") {
		return "", fmt.Errorf("revision %q: %w", rev, layout.ErrNotFound)
	}
	return strings.TrimSpace(string(out)), err
}

// peel follows tags to a commit or tree and reads it.
func (r *Reader) peel(ctx context.Context, hash string) (name, kind string, data []byte, err error) {
	// Tags can be nested, and by a broken hash in a circle.
	for range 10 {
		kind, data, err = r.Objects.Read(ctx, hash)
		if err != nil || kind != objectstore.KindTag {
			return hash, kind, data, err
		}
		line, _, _ := strings.Cut(string(data), "\n")
		hash = strings.TrimPrefix(line, "object ")
	}
	return "", "", nil, fmt.Errorf("tag %q leads to no commit: %w", hash, layout.ErrNotFound)
}

// TreeOf is the tree of a commit, or the tree that rev itself names.
func (r *Reader) TreeOf(ctx context.Context, rev string) (string, error) {
	hash, err := r.lookup(ctx, rev)
	if err != nil {
		return "", err
	}
	hash, kind, data, err := r.peel(ctx, hash)
	switch {
	case err != nil:
		return "", err
	case kind == objectstore.KindTree:
		return hash, nil
	case kind == objectstore.KindCommit:
		return objectstore.ParseCommit(hash, data).Tree, nil
	}
	return "", fmt.Errorf("revision %q is a %s: %w", rev, kind, layout.ErrNotFound)
}

// Entry is the file or folder at a path of a commit or tree, without a process. Errors: ErrNotFound.
func (r *Reader) Entry(ctx context.Context, rev, name string) (objectstore.Entry, error) {
	tree, err := r.TreeOf(ctx, rev)
	if err != nil {
		return objectstore.Entry{}, err
	}
	entry := objectstore.Entry{Hash: tree, Mode: objectstore.ModeTree, Dir: true}
	clean := path.Clean(name)
	if clean == "." {
		return entry, nil
	}
	// A path that leads out of the top is missing in every tree.
	if !fs.ValidPath(clean) {
		return objectstore.Entry{}, fmt.Errorf("path %q: %w", name, layout.ErrNotFound)
	}
	for part := range strings.SplitSeq(clean, "/") {
		var found bool
		// A file on the way makes the rest of the path missing, not invalid.
		if entry.Dir {
			if entry, found, err = r.Objects.Child(ctx, entry.Hash, part); err != nil {
				return objectstore.Entry{}, err
			}
		}
		if !found {
			return objectstore.Entry{}, fmt.Errorf("path %q in %q: %w", name, rev, layout.ErrNotFound)
		}
	}
	return entry, nil
}

// Files lists every file of a commit or tree in order of their paths, which are what
// Name holds. A submodule is an entry too, with the commit that it stands at.
func (r *Reader) Files(ctx context.Context, rev string) ([]objectstore.Entry, error) {
	tree, err := r.TreeOf(ctx, rev)
	if err != nil {
		return nil, err
	}
	return r.filesBelow(ctx, nil, tree, "")
}

func (r *Reader) filesBelow(ctx context.Context, files []objectstore.Entry, tree, folder string) ([]objectstore.Entry, error) {
	entries, err := r.Objects.ReadTree(ctx, tree)
	for _, e := range entries {
		if e.Name = folder + e.Name; !e.Dir {
			files = append(files, e)
		} else if files, err = r.filesBelow(ctx, files, e.Hash, e.Name+"/"); err != nil {
			return nil, err
		}
	}
	return files, err
}
