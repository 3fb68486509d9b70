package layout

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Limits in bytes. A file without content can have any size on disk for nothing, and whoever reads it needs as much
// memory: agents can make such files where git keeps names, indexes and logs.
const (
	MostPlain = 1 << 30 // of ReadPlain
	mostName  = 8 << 10 // twice the longest path
)

// ErrNotFile is something else where git keeps a file: opening a pipe would wait for ever.
var ErrNotFile = errors.New("is not a file")

// ReadPlain is os.ReadFile for regular files of at most 1 GiB.
func ReadPlain(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil {
		switch {
		case !info.Mode().IsRegular():
			return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotFile}
		case info.Size() > MostPlain:
			return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("has %d bytes, more than git writes there", info.Size())}
		}
	}
	return os.ReadFile(path)
}

// ReadName reads a file in which git keeps one name: HEAD, a ref, the path of a worktree or of a git folder. Of a
// longer file it returns only the beginning, which is no such name.
func ReadName(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() <= mostName || !info.Mode().IsRegular() {
		return ReadPlain(path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, mostName))
	return text, errors.Join(err, file.Close())
}

// Absent reports whether nothing can be at a path: it is not there, or what should
// be a folder above it is a file.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
