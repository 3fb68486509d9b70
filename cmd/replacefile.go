package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine/atomicfile"
)

// replaceFile writes a file as a whole or not at all: what stood there stays until all of
// the new text is on the disk. A link is followed, and what is no regular file is refused.
func replaceFile(path string, content []byte) error {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		path = at
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%q is not a regular file", path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return atomicfile.Write(path, content, atomicfile.Options{})
}
