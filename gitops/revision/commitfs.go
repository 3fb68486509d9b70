package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"time"

	"chant/gitops/layout"
	"chant/gitops/objectstore"
)

// FS returns the files of a commit or tree as a file system. It reads each folder and file when it is
// opened, and only until ctx ends. A symbolic link and a submodule are listed but cannot be opened,
// as with ReadFile.
func (r *Reader) FS(ctx context.Context, rev string) (fs.FS, error) {
	tree, err := r.TreeOf(ctx, rev)
	if err != nil {
		return nil, err
	}
	return &treeFS{ctx, r, tree}, nil
}

// treeFS keeps the context of the call that made it: fs.FS has no place for one.
type treeFS struct {
	ctx    context.Context
	reader *Reader
	tree   string
}

// Open implements fs.FS.
func (t *treeFS) Open(name string) (fs.File, error) {
	file, err := t.open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return file, nil
}

func (t *treeFS) open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrInvalid
	}
	entry, err := t.reader.Entry(t.ctx, t.tree, name)
	if err != nil {
		return nil, asNotExist(err)
	}
	info := treeInfo{name: path.Base(name), mode: modeOf(entry)}
	switch {
	case entry.Dir:
		entries, err := t.reader.Objects.ReadTree(t.ctx, entry.Hash)
		return &treeDir{treeInfo: info, fsys: t, path: name, rest: entries}, asNotExist(err)
	case !info.mode.IsRegular():
		return nil, asNotExist(fmt.Errorf("path %q is not a file: %w", name, layout.ErrNotFound))
	}
	content, err := t.reader.ReadBlob(t.ctx, entry.Hash)
	info.size = int64(len(content))
	return &treeFile{info, bytes.NewReader(content)}, asNotExist(err)
}

// asNotExist makes an error that says that something is missing one that callers of fs.FS know.
func asNotExist(err error) error {
	if errors.Is(err, layout.ErrNotFound) {
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return err
}

func modeOf(entry objectstore.Entry) fs.FileMode {
	switch entry.Mode {
	case objectstore.ModeTree:
		return fs.ModeDir | 0o755
	case objectstore.ModeExecutable:
		return 0o755
	case objectstore.ModeSymlink:
		return fs.ModeSymlink | 0o777
	case objectstore.ModeSubmodule:
		return fs.ModeIrregular
	}
	return 0o644
}

// treeInfo is the fs.FileInfo of a file or folder. A commit has no times of files.
type treeInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i treeInfo) Name() string               { return i.name }
func (i treeInfo) Size() int64                { return i.size }
func (i treeInfo) Mode() fs.FileMode          { return i.mode }
func (i treeInfo) ModTime() time.Time         { return time.Time{} }
func (i treeInfo) IsDir() bool                { return i.mode.IsDir() }
func (i treeInfo) Sys() any                   { return nil }
func (i treeInfo) Stat() (fs.FileInfo, error) { return i, nil }
func (i treeInfo) Close() error               { return nil }

// treeFile is an open file.
type treeFile struct {
	treeInfo
	*bytes.Reader
}

// Size implements fs.FileInfo; both embedded types have one.
func (f *treeFile) Size() int64 { return f.treeInfo.size }

// treeDir is an open folder.
type treeDir struct {
	treeInfo
	fsys *treeFS
	path string
	rest []objectstore.Entry
}

// Read implements fs.File; a folder cannot be read.
func (d *treeDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.path, Err: errors.New("is a folder")}
}

// ReadDir implements fs.ReadDirFile.
func (d *treeDir) ReadDir(n int) ([]fs.DirEntry, error) {
	// This is the contract of fs.ReadDirFile: io.EOF only where a number was asked for.
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	out := make([]fs.DirEntry, n)
	for i, entry := range d.rest[:n] {
		out[i] = treeEntry{d, entry}
	}
	d.rest = d.rest[n:]
	return out, nil
}

// treeEntry is one name in a folder.
type treeEntry struct {
	dir   *treeDir
	entry objectstore.Entry
}

func (e treeEntry) Name() string      { return e.entry.Name }
func (e treeEntry) IsDir() bool       { return e.entry.Dir }
func (e treeEntry) Type() fs.FileMode { return modeOf(e.entry).Type() }

// Info reads a file to learn its size.
func (e treeEntry) Info() (fs.FileInfo, error) {
	if !e.entry.Dir && !modeOf(e.entry).IsRegular() {
		return treeInfo{name: e.entry.Name, mode: modeOf(e.entry)}, nil
	}
	// A tree has no sizes, so the file is read for it.
	file, err := e.dir.fsys.Open(path.Join(e.dir.path, e.entry.Name))
	if err != nil {
		return nil, err
	}
	return file.Stat()
}
