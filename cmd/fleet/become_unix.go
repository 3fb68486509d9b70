//go:build unix

package fleet

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"chant/providers"
)

// become replaces this process by the program with the server, if that is beside this program or on the PATH. It returns
// nil if it is not: then the operation says what is missing.
func become(self string, environ []string) error {
	if !slices.Contains(os.Args, "fleet") {
		// The command line is not that of this process, as in tests.
		return nil
	}
	// Beside this program first, because that is of the same version.
	path := filepath.Join(filepath.Dir(self), server)
	err := syscall.Exec(path, append([]string{path}, os.Args[1:]...), environ)
	if !errors.Is(err, syscall.ENOENT) {
		return err
	}
	if path, err = providers.Find(server, "", environ); err != nil {
		return nil //nolint:nilerr // as above
	}
	return syscall.Exec(path, append([]string{path}, os.Args[1:]...), environ)
}
