//go:build unix

package sandbox

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// writable reports whether this process could write a file, or create it and the folders that it lies in.
func writable(path string) bool {
	for {
		err := unix.Access(path, unix.W_OK)
		// A path that does not exist can be written if the folder above it can.
		if err != unix.ENOENT || path == filepath.Dir(path) {
			return err == nil
		}
		path = filepath.Dir(path)
	}
}
