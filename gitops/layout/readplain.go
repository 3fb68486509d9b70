package layout

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// errPipe is a pipe where git keeps a file: who opened it would wait for ever.
var errPipe = errors.New("is a pipe, not a file")

// ReadPlain is os.ReadFile, which a pipe in the place of the file does not hang.
func ReadPlain(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errPipe}
	}
	return os.ReadFile(path)
}

// Absent reports whether nothing can be at a path: it is not there, or what should
// be a folder above it is a file.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
