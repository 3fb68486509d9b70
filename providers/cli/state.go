package cli

import (
	"fmt"
	"os"
)

// writeState replaces a file of the state folder. The old one is removed
// first: its mode would outlive a rewrite, and a link would be followed.
func writeState(path string, content []byte, mode os.FileMode) error {
	// The mode of an old file would outlive a rewrite, and a link would be followed.
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("state file %q: %w", path, err)
	}
	// Whatever is put in its place after the removal is refused.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("state file %q: %w", path, err)
	}
	_, err = file.Write(content)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("state file %q: %w", path, err)
	}
	return nil
}
