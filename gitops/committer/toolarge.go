package committer

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// mostOfFile is the size in bytes from which git does not store a file within the time that it has here: it reads, hashes and
// compresses all of it, also of one without content, which takes no room on the disk.
const mostOfFile = 64 << 30

// TooLargeError says that a file of a worktree is too large to be committed.
type TooLargeError struct {
	Path string
	Size int64 // in bytes
}

// Error names the file.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%q has %d bytes, too many for git", e.Path, e.Size)
}

// checkSizes refuses a worktree with an uncommitted file that is too large, as git would after minutes. Error:
// *TooLargeError.
func (w *Committer) checkSizes(ctx context.Context, p layout.Place) error {
	args := []string{"ls-files", "--modified", "--others", "--exclude-standard", "-z"}
	out, err := w.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: args, Limit: gitexec.LongLimit})
	if err != nil {
		return err
	}
	for _, name := range gitexec.Records(out) {
		info, err := os.Lstat(filepath.Join(p.Top, filepath.FromSlash(name)))
		if err == nil && info.Mode().IsRegular() && info.Size() > mostOfFile {
			return &TooLargeError{Path: name, Size: info.Size()}
		}
	}
	return nil
}
