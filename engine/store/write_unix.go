//go:build !windows

package store

import (
	"errors"
	"syscall"

	"github.com/google/renameio/v2"
)

// writeFile replaces a file atomically by way of a temporary file in temp, or
// beside the file when temp lies on another file system.
func writeFile(full, temp string, content []byte) error {
	err := renameio.WriteFile(full, content, 0o644, renameio.WithTempDir(temp), renameio.WithExistingPermissions())
	if errors.Is(err, syscall.EXDEV) {
		return renameio.WriteFile(full, content, 0o644, renameio.WithExistingPermissions())
	}
	return err
}
