package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine/store/disk"
)

// replaceFile writes a file completely or not at all: the old content stays until the whole
// new text is on disk. It follows links and refuses anything but a regular file.
func replaceFile(path string, content []byte) error {
	// Replacing a link would leave the file that it names as it was.
	if at, err := filepath.EvalSymlinks(path); err == nil {
		path = at
	}
	info, err := os.Stat(path)
	// A device or a pipe would be replaced by a file.
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%q is not a regular file", path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return disk.Write(path, content, disk.Options{})
}
