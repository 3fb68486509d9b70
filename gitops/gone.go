package gitops

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Gone reports whether the repository was removed or moved away since it was opened:
// what git knows a repository by is no longer there.
func (r *Repo) Gone() bool {
	_, err := os.Lstat(filepath.Join(r.common, "HEAD"))
	return errors.Is(err, fs.ErrNotExist)
}
