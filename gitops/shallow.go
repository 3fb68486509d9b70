package gitops

import (
	"os"
	"path/filepath"
)

// Shallow reports whether the history of the repository is cut off, as in a clone made
// with --depth.
func (r *Repo) Shallow() bool {
	info, err := os.Stat(filepath.Join(r.common, "shallow"))
	return err == nil && info.Size() > 0
}
