package objectstore

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// loosePath is where an object has a file of its own.
func (o *Store) loosePath(hash string) string {
	return filepath.Join(o.site.Common, "objects", hash[:2], hash[2:])
}

// errNotLoose says that what is at the place of an object's own file cannot be read here: git is asked.
var errNotLoose = errors.New("not the file of an object")

// readLoose reads an object from its own file. Errors: fs.ErrNotExist, if it has none.
func (o *Store) readLoose(hash string) (object, error) {
	// The hash becomes part of a path.
	if !layout.IsHash(hash) {
		return object{}, errNotLoose
	}
	text, err := layout.ReadPlain(o.loosePath(hash))
	if err != nil {
		return object{}, err
	}
	found, ok := decodeLoose(text)
	if !ok {
		return object{}, errNotLoose
	}
	return found, nil
}

// unpackers are zlib readers that are used again: a new one is larger than most objects.
var unpackers sync.Pool

func unpacker(packed []byte) (io.ReadCloser, error) {
	in := bytes.NewReader(packed)
	if used, ok := unpackers.Get().(io.ReadCloser); ok {
		return used, used.(zlib.Resetter).Reset(in, nil)
	}
	return zlib.NewReader(in)
}

// decodeLoose parses the file of an object: compressed, its kind, a space, its size, NUL and the content.
func decodeLoose(text []byte) (found object, ok bool) {
	unpacked, err := unpacker(text)
	if err != nil {
		return object{}, false
	}
	defer unpackers.Put(unpacked)
	var head [32]byte
	n, err := io.ReadFull(unpacked, head[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return object{}, false
	}
	name, begin, ended := bytes.Cut(head[:n], []byte{0})
	kind, length, parted := bytes.Cut(name, []byte(" "))
	size, err := strconv.Atoi(string(length))
	if !ended || !parted || err != nil || size < len(begin) || size > gitexec.MaxStdout {
		return object{}, false
	}
	// A broken file may claim any size, so no more is reserved than its length makes likely.
	data := bytes.NewBuffer(make([]byte, 0, min(size, 8*len(text))+bytes.MinRead))
	data.Write(begin)
	// One byte more than the size shows a file that is longer than it claims.
	if _, err := io.Copy(data, io.LimitReader(unpacked, int64(size-len(begin))+1)); err != nil || data.Len() != size {
		return object{}, false
	}
	switch string(kind) {
	case KindCommit, KindTree, KindBlob, KindTag:
		return object{string(kind), data.Bytes()}, true
	}
	return object{}, false
}

// Write stores an object in a file of its own, in process; only where WritesHere.
func (o *Store) Write(kind plumbing.ObjectType, content []byte) (hash string, err error) {
	var object plumbing.MemoryObject
	object.SetType(kind)
	if _, err := object.Write(content); err != nil {
		return "", err
	}
	// go-git's storage is not safe for concurrent use.
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, err := o.storage.SetEncodedObject(&object); err != nil {
		return "", fmt.Errorf("%s %q: %w", kind, object.Hash(), err)
	}
	return object.Hash().String(), nil
}

// IsBlob reports whether an object name, SHA-1 or SHA-256, is that of a file with this content.
func IsBlob(content []byte, name string) bool {
	return nameOf(object{KindBlob, content}, len(name)) == name
}

// IsCommit reports whether an object name, SHA-1 or SHA-256, is that of a commit with this content.
func IsCommit(content []byte, name string) bool {
	return nameOf(object{KindCommit, content}, len(name)) == name
}

// BlobName is the name of a file with this content in a repository with names of SHA-1 or SHA-256.
func BlobName(content []byte, long bool) string {
	length := 2 * sha1.Size
	if long {
		length = 2 * sha256.Size
	}
	return nameOf(object{KindBlob, content}, length)
}
