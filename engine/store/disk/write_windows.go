package disk

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
)

// Write replaces the content of a file, or creates it. Windows does not guarantee atomicity, but os.Rename
// replaces in one call. The permissions of the folder decide who may read the file.
func Write(path string, content []byte, o Options) error {
	f, err := os.CreateTemp(cmp.Or(o.Temp, filepath.Dir(path)), ".chant-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	// The file is closed before it is renamed: Windows does not rename an open one.
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
