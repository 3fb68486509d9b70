//go:build !windows

package disk

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// Write replaces the content of a file, or creates it. On an error the file is unchanged.
func Write(path string, content []byte, o Options) error {
	beside := filepath.Dir(path)
	// A rename works within one file system only, and the folder for temporary files may be on another.
	err := write(path, cmp.Or(o.Temp, beside), content, o.Mode)
	if errors.Is(err, syscall.EXDEV) {
		return write(path, beside, content, o.Mode)
	}
	return err
}

func write(path, temp string, content []byte, mode fs.FileMode) error {
	options := []renameio.Option{renameio.WithTempDir(temp), renameio.WithPermissions(0o644), renameio.WithExistingPermissions()}
	// The library would otherwise prefer the mode of the existing file.
	if mode != 0 {
		options = []renameio.Option{renameio.WithTempDir(temp), renameio.WithStaticPermissions(mode)}
	}
	f, err := renameio.NewPendingFile(path, options...)
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err == nil {
		// This syncs before it renames, so that a crash leaves the old bytes or the new ones.
		err = f.CloseAtomicallyReplace()
	}
	if err != nil {
		return errors.Join(err, f.Cleanup())
	}
	return nil
}
