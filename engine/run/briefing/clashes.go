package briefing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"chant/gitops/rootdir"
)

// sight is what a worktree holds where branch and target conflict.
type sight struct {
	state  string // equal as long as nothing was changed; "" for a missing file
	marked bool   // it contains both sides
}

// Sights reads the conflicts as they are in the worktree.
func (b *Briefing) Sights() (map[string]sight, error) {
	out := map[string]sight{}
	err := rootdir.In(b.Tree, func(root *os.Root) error {
		for _, path := range b.Clashes {
			seen, err := see(root, path)
			if err != nil {
				return fmt.Errorf("look at the conflict in %q: %w", path, err)
			}
			out[path] = seen
		}
		return nil
	})
	return out, err
}

// mostOfClash limits the file of a conflict, in bytes.
const mostOfClash = 1 << 30

// see reads one place. A folder is a submodule, about which only git knows.
func see(root *os.Root, path string) (sight, error) {
	info, err := root.Lstat(filepath.FromSlash(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return sight{}, nil
	case err != nil:
		return sight{}, err
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := root.Readlink(filepath.FromSlash(path))
		return sight{state: "link to " + to}, err
	case info.IsDir():
		return sight{state: "folder"}, nil
	case !info.Mode().IsRegular():
		return sight{}, fmt.Errorf("%q is not a regular file", path)
	}
	src, err := rootdir.Read(root, path, mostOfClash)
	if err != nil {
		return sight{}, err
	}
	return sight{fmt.Sprintf("file %x", sha256.Sum256(src)), marked(src)}, nil
}

// Unresolved lists the open conflicts: those that still contain both sides, and those that were not touched since
// before, neither the file nor its entry in git's index. A binary file, a submodule, or a file that one side has
// deleted never contains both sides.
func (b *Briefing) Unresolved(ctx context.Context, before map[string]sight) ([]string, error) {
	now, err := b.Sights()
	if err != nil {
		return nil, err
	}
	unmerged, _, err := b.Repo.Unmerged(ctx, b.Tree)
	if err != nil {
		return nil, err
	}
	var open []string
	for _, path := range b.Clashes {
		untouched := now[path].state == before[path].state && slices.Contains(unmerged, path)
		if now[path].marked || untouched {
			open = append(open, path)
		}
	}
	return open, nil
}

// marked reports whether a text contains both sides of a conflict.
func marked(src []byte) bool {
	begun := false
	for line := range bytes.Lines(src) {
		begun = begun || bytes.HasPrefix(line, []byte("<<<<<<< "))
		if begun && bytes.HasPrefix(line, []byte(">>>>>>> ")) {
			return true
		}
	}
	return false
}
