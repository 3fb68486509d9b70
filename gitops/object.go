package gitops

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// Kinds of objects, as git names them.
const (
	kindCommit = "commit"
	kindTree   = "tree"
	kindBlob   = "blob"
	kindTag    = "tag"
)

const objectCacheSize = 16 * cache.MiByte

// objects reads objects by name, in process where it can, and writes trees.
type objects struct {
	mu      sync.Mutex                // go-git's store is not safe for concurrent use
	store   *filesystem.ObjectStorage // nil where go-git cannot read the format
	packDir string
	packed  time.Time // of packDir when the store last looked
	batch   *batch
}

func newObjects(r *Repo) *objects {
	o := &objects{packDir: filepath.Join(r.site.Common, "objects", "pack"), batch: &batch{git: r.git, dir: r.site.Home}}
	if !r.site.Format.Foreign {
		o.store = filesystem.NewObjectStorage(dotgit.New(osfs.New(r.site.Common)), cache.NewObjectLRU(objectCacheSize))
	}
	return o
}

// read returns an object's kind and content; ErrNotFound when git has none of that name.
func (o *objects) read(ctx context.Context, hash string) (kind string, data []byte, err error) {
	if err := ctx.Err(); err != nil {
		return "", nil, context.Cause(ctx)
	}
	if kind, data, ok := o.local(hash); ok {
		return kind, data, nil
	}
	return o.batch.ask(ctx, hash)
}

// local asks go-git. Not ok says only that git must be asked: the object may lie in an
// alternate, be fetched on demand, or be missing.
func (o *objects) local(hash string) (kind string, data []byte, ok bool) {
	if o.store == nil {
		return "", nil, false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	found, err := o.store.EncodedObject(plumbing.AnyObject, plumbing.NewHash(hash))
	if err != nil && o.repacked() {
		found, err = o.store.EncodedObject(plumbing.AnyObject, plumbing.NewHash(hash))
	}
	if err != nil {
		return "", nil, false
	}
	reader, err := found.Reader()
	if err != nil {
		return "", nil, false
	}
	data, err = io.ReadAll(reader)
	if closeErr := reader.Close(); err != nil || closeErr != nil {
		return "", nil, false
	}
	return found.Type().String(), data, true
}

// repacked tells whether packs came or went since the last look, and looks again.
func (o *objects) repacked() bool {
	info, err := os.Stat(o.packDir)
	if err != nil || info.ModTime().Equal(o.packed) {
		return false
	}
	o.packed = info.ModTime()
	o.store.Reindex()
	return true
}

// write stores an object in process; for formats that go-git can write.
func (o *objects) write(kind plumbing.ObjectType, content []byte) (hash string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	object := o.store.NewEncodedObject()
	object.SetType(kind)
	object.SetSize(int64(len(content)))
	writer, err := object.Writer()
	if err != nil {
		return "", err
	}
	if _, err := writer.Write(content); err != nil {
		return "", err
	}
	if err := writer.Close(); err != nil {
		return "", err
	}
	// What is there already is not written again: its file may be read-only.
	if o.store.HasEncodedObject(object.Hash()) == nil {
		return object.Hash().String(), nil
	}
	written, err := o.store.SetEncodedObject(object)
	if err != nil {
		return "", fmt.Errorf("%s %q: %w", kind, object.Hash(), err)
	}
	return written.String(), nil
}
