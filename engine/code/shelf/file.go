package shelf

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"chant/engine/code/corpus"
	"chant/gitops"
)

// read returns the content that a manifest says a file has, or why it cannot be read: from disk, or from git where the
// file on disk has other bytes, because of filters or because it has been changed since. The content is in what spare
// has beyond its length if that is enough.
func read(ctx context.Context, repo *gitops.Repo, root string, f corpus.File, long bool, spare []byte) (text []byte, why string) {
	text, err := readFile(filepath.Join(root, filepath.FromSlash(f.Path)), spare)
	if err == nil && gitops.BlobName(text, long) == f.Hash {
		return text, ""
	}
	if stored, blobErr := repo.ReadBlob(ctx, f.Hash); blobErr == nil {
		return stored, ""
	}
	if err != nil {
		return nil, "cannot be read"
	}
	return nil, "was changed while it was read"
}

// readFile is os.ReadFile into what spare has beyond its length, if that is enough.
func readFile(name string, spare []byte) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	text := slices.Grow(spare[len(spare):], int(min(info.Size(), mostGrown))+1) // with a byte for the end
	for {
		n, err := file.Read(text[len(text):cap(text)])
		if text = text[:len(text)+n]; err == io.EOF {
			return text, nil
		} else if err != nil {
			return nil, err
		}
		if len(text) == cap(text) {
			text = slices.Grow(text, 512)
		}
	}
}

// mostGrown is how much memory the size of a file asks for before it is read.
const mostGrown = 1 << 30

// Text returns the content of a file of the snapshot, or why it cannot be read.
func (s *Snapshot) Text(ctx context.Context, f corpus.File) (text []byte, why string) {
	return s.TextIn(ctx, f, nil)
}

// TextIn is Text with memory for the content: what spare has beyond its length, if that is enough.
func (s *Snapshot) TextIn(ctx context.Context, f corpus.File, spare []byte) (text []byte, why string) {
	return read(ctx, s.shelf.Repo, s.Manifest.Root, f, len(f.Hash) > 40, spare)
}
