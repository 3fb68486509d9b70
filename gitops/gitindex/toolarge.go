package gitindex

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// maxFile is the size in bytes from which git does not read a file within the time that it has here: it reads and hashes
// all of it, also of one without content, which takes no room on the disk.
const maxFile = 64 << 30

// patience is how long git may take before the sizes of the files are looked at.
const patience = 2 * time.Second

// TooLargeError says that a file of a worktree is too large for git.
type TooLargeError struct {
	Path string // in slashes, relative to the top of the worktree
	Top  string // the worktree
	Size int64  // in bytes
}

// Error names the file.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%q has %d bytes, too many for git", e.Path, e.Size)
}

// CheckSizes refuses a worktree with a file that is too large for git, tracked or not; ignored ones do not count. Errors:
// *TooLargeError, *gitexec.Error.
func (x *Index) CheckSizes(ctx context.Context, p layout.Place) error {
	return x.checkSizes(ctx, p, "--cached", "--others", "--exclude-standard")
}

// checkSizes looks at the files that git lists, without reading any.
func (x *Index) checkSizes(ctx context.Context, p layout.Place, list ...string) error {
	args := append([]string{"ls-files", "-z"}, list...)
	out, err := x.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: args, Limit: gitexec.LongLimit})
	if err != nil {
		return err
	}
	for _, name := range gitexec.Records(out) {
		info, err := os.Lstat(filepath.Join(p.Top, filepath.FromSlash(name)))
		// Only the size is looked at: reading is what takes too long.
		if err == nil && info.Mode().IsRegular() && info.Size() > maxFile {
			return &TooLargeError{Path: name, Top: p.Top, Size: info.Size()}
		}
	}
	return nil
}

// Patiently runs a command that may read every tracked file of a worktree. Git does so where it cannot see from the size
// and the times that a file was changed, and takes minutes with one that is too large. If it takes long, the
// sizes are looked at, and it is ended because of such a file. Errors: *TooLargeError, *gitexec.Error.
func (x *Index) Patiently(ctx context.Context, p layout.Place, call gitexec.Call) ([]byte, error) {
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	looked := make(chan struct{})
	watch := time.AfterFunc(patience, func() {
		defer close(looked)
		// Only such a file ends the command; a slow disk or a large project gets the time that it needs.
		if large, ok := errors.AsType[*TooLargeError](x.checkSizes(within, p, "--cached")); ok {
			cancel(large)
		}
	})
	out, err := x.Git.Run(within, call)
	// Once the timer has fired, its function may still be looking, and its verdict is needed.
	if !watch.Stop() {
		<-looked
	}
	if large, ok := errors.AsType[*TooLargeError](context.Cause(within)); ok && err != nil {
		return nil, large
	}
	return out, err
}
