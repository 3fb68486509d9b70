package layout

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// MkdirAll makes a folder and those that it is in, each for the group if the one around it is (see Share).
func MkdirAll(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if above := filepath.Dir(dir); above != dir {
		if err := MkdirAll(above); err != nil {
			return err
		}
	}
	// Another process may make the same folder at the same time.
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return Share(dir)
}

// Share lets the group do with a file or folder what its owner may, if it is in a folder that belongs to the group, as git
// makes those of a repository with core.sharedRepository. What is another user's stays as it is.
func Share(path string) error {
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil || folder.Mode()&fs.ModeSetgid == 0 || folder.Mode().Perm()&0o020 == 0 {
		return err
	}
	info, err := os.Lstat(path)
	// A mode set on a link would change what it leads to.
	if err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return err
	}
	mode := info.Mode() | info.Mode().Perm()&0o700>>3
	if info.IsDir() {
		mode |= fs.ModeSetgid
	}
	if mode == info.Mode() {
		return nil
	}
	// Only the owner may change the mode; a folder of another user works for the group already, or is not ours to open.
	if err := os.Chmod(path, mode); !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
