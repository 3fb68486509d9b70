package objectstore

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Kinds of objects, as git names them.
const (
	KindCommit = "commit"
	KindTree   = "tree"
	KindBlob   = "blob"
	KindTag    = "tag"
)

const objectCacheSize = 16 * cache.MiByte

// Store reads objects by name, in process where it can, and writes blobs and trees.
type Store struct {
	git  *gitexec.Runner
	site *layout.Site

	mu      sync.Mutex                // go-git's store is not safe for concurrent use
	storage *filesystem.ObjectStorage // nil where go-git cannot read the format
	kept    map[string]object         // commits and trees that were read; go-git does not keep loose ones
	held    int                       // bytes in kept
	secured map[string]bool           // commits that Secure has found in packs

	packDir string
	packed  time.Time // of packDir when the store last looked
	batch   *batch
}

// object is the kind and the content of an object; the content must not be changed.
type object struct {
	kind string
	data []byte
}

// maxHeld bounds the bytes of the commits and trees that are kept, and maxOne those of one of them.
const (
	maxHeld = 8 << 20
	maxOne  = 256 << 10
)

// New returns the objects of a repository.
func New(git *gitexec.Runner, site *layout.Site) *Store {
	o := &Store{git: git, site: site, packDir: filepath.Join(site.Common, "objects", "pack"), batch: &batch{git: git, dir: site.Home}}
	if !site.Format.Foreign {
		o.storage = filesystem.NewObjectStorage(dotgit.New(osfs.New(site.Common)), cache.NewObjectLRU(objectCacheSize))
	}
	return o
}

// Read returns an object's kind and content, which is that of its name. Errors: ErrNotFound when git has none of that name,
// *ReplacedError.
func (o *Store) Read(ctx context.Context, hash string) (kind string, data []byte, err error) {
	if err := ctx.Err(); err != nil {
		return "", nil, context.Cause(ctx)
	}
	if kind, data, ok := o.local(hash); ok {
		return kind, data, nil
	}
	kind, data, err = o.batch.ask(ctx, hash)
	// Git does not notice that the file of an object has other content.
	if err == nil && nameOf(object{kind, data}, len(hash)) != hash {
		return "", nil, &ReplacedError{hash}
	}
	return kind, data, err
}

// local reads the object's own file, or asks go-git. Not ok says only that git must be asked: the object may lie in an
// alternate, be fetched on demand, or be missing.
func (o *Store) local(hash string) (kind string, data []byte, ok bool) {
	if o.storage == nil {
		return "", nil, false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if kept, ok := o.kept[hash]; ok {
		return kept.kind, kept.data, true
	}
	loose, err := o.readLoose(hash)
	// An agent may have put other content there, and a pack may have the right one.
	if err == nil && nameOf(loose, len(hash)) == hash {
		o.keep(hash, loose.kind, loose.data)
		return loose.kind, loose.data, true
	}
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		// Git ends after a while if that is a pipe, go-git does not.
		return "", nil, false
	}
	found, err := o.storage.EncodedObject(plumbing.AnyObject, plumbing.NewHash(hash))
	// go-git reads the list of packs once, so another process that has repacked hides objects from it.
	if err != nil && o.repacked() {
		found, err = o.storage.EncodedObject(plumbing.AnyObject, plumbing.NewHash(hash))
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
	kind = found.Type().String()
	// The file of an object may have come there after the look above.
	if nameOf(object{kind, data}, len(hash)) != hash {
		return "", nil, false
	}
	o.keep(hash, kind, data)
	return kind, data, true
}

// keep remembers a commit or a tree, which a run reads dozens of times. Callers of Read may change what they get of a blob.
func (o *Store) keep(hash, kind string, data []byte) {
	if kind != KindCommit && kind != KindTree || len(data) > maxOne {
		return
	}
	// Dropping everything needs no order of use, and what is in use is soon there again.
	if o.kept == nil || o.held > maxHeld {
		o.kept, o.held = map[string]object{}, 0
	}
	o.kept[hash] = object{kind, data}
	o.held += len(data)
}

// repacked reports whether packs came or went since the last look, and looks again.
func (o *Store) repacked() bool {
	info, err := os.Stat(o.packDir)
	if err != nil || info.ModTime().Equal(o.packed) {
		return false
	}
	o.packed = info.ModTime()
	o.storage.Reindex()
	return true
}

// Close ends the git process that waits for questions about objects. Otherwise it ends when it was not asked for a while.
func (o *Store) Close() {
	o.batch.mu.Lock()
	defer o.batch.mu.Unlock()
	o.batch.end()
}

// nameOf computes the name of an object; length is that of names in the repository, in hex digits.
func nameOf(found object, length int) string {
	var sum hash.Hash = sha1.New()
	if length == 2*sha256.Size {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "%s %d\x00", found.kind, len(found.data))
	sum.Write(found.data)
	return hex.EncodeToString(sum.Sum(nil))
}
