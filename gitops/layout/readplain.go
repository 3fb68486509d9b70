package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
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
	file, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	if file.size > MostPlain {
		err := &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("has %d bytes, more than git writes there", file.size)}
		return nil, errors.Join(err, file.close())
	}
	return file.readTo(MostPlain)
}

// ReadName reads a file in which git keeps one name: HEAD, a ref, the path of a worktree or of a git folder. Of a
// longer file it returns only the beginning, which is no such name.
func ReadName(path string) ([]byte, error) {
	file, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	return file.readTo(mostName)
}

// readTo reads a file up to so many bytes and closes it.
func (f *regular) readTo(most int64) ([]byte, error) {
	text := make([]byte, 0, min(f.size, most)+1) // a byte more, so that the end is found without more room
	for int64(len(text)) < most {
		if len(text) == cap(text) { // it has grown
			text = slices.Grow(text, 512)
		}
		n, err := f.read(text[len(text):cap(text)])
		if err != nil || n <= 0 {
			return text, errors.Join(err, f.close())
		}
		text = text[:len(text)+n]
	}
	return text[:most], f.close()
}

// notFile is the error for anything else at the path of a file.
func notFile(path string) error { return &fs.PathError{Op: "read", Path: path, Err: ErrNotFile} }

// Absent reports whether nothing can be at a path: it is not there, or what should
// be a folder above it is a file.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
