//go:build unix

package sandbox

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// writable reports whether this process could write a file, or create it.
func writable(path string) bool {
	if err := unix.Access(path, unix.W_OK); err != unix.ENOENT {
		return err == nil
	}
	return unix.Access(filepath.Dir(path), unix.W_OK) == nil
}
