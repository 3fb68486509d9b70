package store

import (
	"errors"
	"os"
)

// writeFile replaces a file by way of a temporary file in temp. Windows gives no
// promise of atomicity, but os.Rename replaces in one call.
func writeFile(full, temp string, content []byte) error {
	f, err := os.CreateTemp(temp, "write-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), full)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// writePrivate is writeFile: the folder's own rules say who may read there.
func writePrivate(full, temp string, content []byte) error { return writeFile(full, temp, content) }
