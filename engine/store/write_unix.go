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

// writePrivate is writeFile for what nobody but its owner may read, whatever the
// file there allowed. temp lies on its file system.
func writePrivate(full, temp string, content []byte) error {
	f, err := renameio.TempFile(temp, full) // has mode 0600; WriteFile would keep that of the file there
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		return errors.Join(err, f.Cleanup())
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return errors.Join(err, f.Cleanup())
	}
	return nil
}
