package objectstore

import (
	"bytes"
	"compress/zlib"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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

// readLoose reads an object from its own file. Not ok says only that others must be asked.
func (o *Store) readLoose(hash string) (found object, ok bool) {
	if !layout.IsHash(hash) || o.storage == nil {
		return object{}, false
	}
	text, err := layout.ReadPlain(o.loosePath(hash))
	if err != nil {
		return object{}, false
	}
	return decodeLoose(text)
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
	hash = plumbing.ComputeHash(kind, content).String()
	path := o.loosePath(hash)
	if _, err := os.Lstat(path); err == nil {
		return hash, nil // its file may be read-only
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", fmt.Errorf("%s %q: %w", kind, hash, err)
	}
	temp := filepath.Join(filepath.Dir(path), "tmp_obj_"+rand.Text()) // git removes what is left of such a file
	if err := o.writeLoose(temp, kind, content); err != nil {
		return "", errors.Join(fmt.Errorf("%s %q: %w", kind, hash, err), removeTemp(temp))
	}
	if err := os.Rename(temp, path); err != nil {
		if _, there := os.Lstat(path); there != nil {
			return "", errors.Join(fmt.Errorf("%s %q: %w", kind, hash, err), removeTemp(temp))
		}
		return hash, removeTemp(temp) // another process has written it
	}
	return hash, nil
}

// writeLoose writes the file of an object as git compresses it, quickly.
func (o *Store) writeLoose(file string, kind plumbing.ObjectType, content []byte) (err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o444)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var packed bytes.Buffer
	out, ok := o.packers.Get().(*zlib.Writer) // a new one takes longer than packing a commit
	if ok {
		out.Reset(&packed)
	} else if out, err = zlib.NewWriterLevel(&packed, zlib.BestSpeed); err != nil {
		return err
	}
	defer o.packers.Put(out)
	if _, err := fmt.Fprintf(out, "%s %d\x00", kind, len(content)); err != nil {
		return err
	}
	if _, err := out.Write(content); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	_, err = f.Write(packed.Bytes())
	return err
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

// removeTemp removes a temporary file, if there is one.
func removeTemp(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
