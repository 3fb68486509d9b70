package gitops

import (
	"errors"
	"io/fs"
	"os"
)

// errPipe is a pipe where git keeps a file: who opened it would wait for ever.
var errPipe = errors.New("is a pipe, not a file")

// readPlain is os.ReadFile, which a pipe in the place of the file does not hang.
func readPlain(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errPipe}
	}
	return os.ReadFile(path)
}
