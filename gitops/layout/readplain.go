package layout

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"chant/gitops/rootdir"
)

// Limits in bytes. A file without content can have any size on disk for nothing, and reading it needs as much
// memory: agents can make such files where git keeps names, indexes and logs.
const (
	MaxPlain = 1 << 30 // of ReadPlain
	maxName  = 8 << 10 // twice the longest path
)

// ErrNotFile is something else where git keeps a file: opening a pipe would wait for ever.
var ErrNotFile = errors.New("is not a file")

// ReadPlain is os.ReadFile for regular files of at most 1 GiB.
func ReadPlain(path string) ([]byte, error) {
	file, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size > MaxPlain {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("has %d bytes, more than git writes there", size)}
	}
	// The file can grow between the look at its size and the read.
	return io.ReadAll(io.LimitReader(file, MaxPlain))
}

// ReadName reads a file in which git keeps one name: HEAD, a ref, the path of a worktree or of a git folder. Of a
// longer file it returns only the beginning, which is no such name.
func ReadName(path string) ([]byte, error) {
	file, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxName))
}

// openRegular opens a file without waiting for a pipe's other end. Error: ErrNotFile, if it is not a regular file.
func openRegular(path string) (file *os.File, size int64, err error) {
	// Without waiting: a pipe put in the place of the file, even after a look at it, would block the open for ever.
	file, err = os.OpenFile(path, os.O_RDONLY|rootdir.Nonblock, 0)
	if err != nil {
		// A socket cannot be opened at all.
		if info, statErr := os.Stat(path); statErr == nil && !info.Mode().IsRegular() {
			err = notFile(path)
		}
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notFile(path)
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// notFile is the error for anything else at the path of a file.
func notFile(path string) error { return &fs.PathError{Op: "read", Path: path, Err: ErrNotFile} }

// Absent reports whether nothing can be at a path: it is not there, or what should
// be a folder above it is a file.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
