package gitops

import (
	"context"
	"io/fs"

	"chant/gitops/objectstore"
)

// Entry is one name in a folder of a commit.
type Entry = objectstore.Entry

// Resolve is the commit that rev names. A full ref name, a branch, HEAD (of the worktree
// in which Open was called) and a whole hash start no process; anything else that
// gitrevisions(7) knows is left to "git rev-parse". A branch goes before a tag of the
// same name. Errors: ErrNotFound, ErrUnborn for HEAD.
func (r *Repo) Resolve(ctx context.Context, rev string) (string, error) {
	return r.revs.Resolve(ctx, rev)
}

// ReadFile is the content of path, slash-separated from the top, in a commit or tree.
// It starts no process. ErrNotFound also where path is a folder, a submodule or a link.
func (r *Repo) ReadFile(ctx context.Context, rev, path string) ([]byte, error) {
	return r.revs.ReadFile(ctx, rev, path)
}

// ReadLink is where the symbolic link path leads in a commit or tree, as it was written.
// ErrNotFound where path is none.
func (r *Repo) ReadLink(ctx context.Context, rev, path string) (string, error) {
	return r.revs.ReadLink(ctx, rev, path)
}

// Entry is the file or folder at a path of a commit or tree, without a process. Errors: ErrNotFound.
func (r *Repo) Entry(ctx context.Context, rev, path string) (Entry, error) {
	return r.revs.Find(ctx, rev, path)
}

// IsBlob reports whether an object name is that of a file with this content.
func IsBlob(content []byte, hash string) bool { return objectstore.IsBlob(content, hash) }

// BlobName returns the object name of a file with this content, by SHA-256 if long.
func BlobName(content []byte, long bool) string { return objectstore.BlobName(content, long) }

// ReadDir lists the folder path ("" or "." for the top) of a commit or tree in git's
// order, without a process. Errors: ErrNotFound, also where path is a file.
func (r *Repo) ReadDir(ctx context.Context, rev, path string) ([]Entry, error) {
	return r.revs.ReadDir(ctx, rev, path)
}

// ReadBlob is the content of a blob by its hash, without a process. Errors: ErrNotFound.
func (r *Repo) ReadBlob(ctx context.Context, hash string) ([]byte, error) {
	return r.revs.ReadBlob(ctx, hash)
}

// Files lists every file of a commit or tree in order of their paths, which are what
// Name holds. A submodule is an entry too, with the commit that it stands at.
func (r *Repo) Files(ctx context.Context, rev string) ([]Entry, error) {
	return r.revs.Files(ctx, rev)
}

// FS returns the files of a commit or tree as a file system, without a process. It may be used until
// ctx ends; a symbolic link and a submodule are listed but cannot be opened. Errors: ErrNotFound.
func (r *Repo) FS(ctx context.Context, rev string) (fs.FS, error) {
	return r.revs.FS(ctx, rev)
}
