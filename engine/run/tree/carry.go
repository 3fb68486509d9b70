package tree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops/rootdir"
)

// Bounds of what is copied into one worktree. More is refused.
const (
	carryFiles = 50_000
	carryBytes = 4 << 30
)

// load is what to copy, slash-separated from home, and which setting names it.
type load struct {
	by    string
	paths []string
}

// carrier copies ignored files of home into a worktree. It writes nowhere else, whatever links the worktree has, and
// does not replace files.
type carrier struct {
	home  string
	tree  *os.Root
	files int
	bytes int64
	left  []string // links below which files would have had to be written
}

// carry copies a load into a worktree and reports what it did.
func (t *Trees) carry(ctx context.Context, tree string, l load) (err error) {
	if l.paths, err = t.fit(ctx, tree, l); err != nil || len(l.paths) == 0 {
		return err
	}
	if err := t.bearable(ctx, l); err != nil {
		return err
	}
	root, err := rootdir.Open(tree)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	c := &carrier{home: t.Store.Home(), tree: root}
	if err := c.copyAll(ctx, l.paths); err != nil {
		return err
	}
	for _, leads := range slices.Compact(c.left) {
		if err := t.setupLine(fmt.Sprintf("left out files named by %s, since %s of the worktree leads out of it", l.by, leads)); err != nil {
			return err
		}
	}
	return t.setupLine(fmt.Sprintf("copied %d files, %d bytes, by %s", c.files, c.bytes, l.by))
}

// fit leaves out what is in .chant, and what home ignores and the run's branch does not: that would be committed with
// the agent's work.
func (t *Trees) fit(ctx context.Context, tree string, l load) ([]string, error) {
	paths := slices.DeleteFunc(l.paths, func(name string) bool { return strings.HasPrefix(name, store.Dir+"/") })
	ignored, err := t.Repo.IgnoredIn(ctx, tree, paths...)
	if err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(slices.Clone(paths), func(name string) bool { return !ignored[name] })
	if left := len(paths) - len(kept); left > 0 {
		err = t.setupLine(fmt.Sprintf("left out %d files named by %s, which branch %q does not ignore", left, l.by, t.Job.Branch))
	}
	return kept, err
}

// bearable refuses a load that is too large to copy for every run, before anything is copied.
func (t *Trees) bearable(ctx context.Context, l load) error {
	var total int64
	for _, name := range l.paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		info, err := os.Lstat(filepath.Join(t.Store.Home(), filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone since git listed it
		}
		if err != nil {
			return err
		}
		total += info.Size()
	}
	if len(l.paths) <= carryFiles && total <= carryBytes {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonSetup, Message: fmt.Sprintf("%s matches %d files of %d bytes in all; no more than %d files and %d bytes are copied into a worktree: name less, or link it by worktree.link",
			l.by, len(l.paths), total, carryFiles, int64(carryBytes)),
	}
}

// copyAll copies files until the context ends.
func (c *carrier) copyAll(ctx context.Context, paths []string) error {
	for _, name := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := c.copy(name)
		if leads := rootdir.LinkAbove(c.tree.Name(), name); err != nil && leads != "" {
			c.left = append(c.left, leads)
			continue
		}
		if err != nil {
			return fmt.Errorf("copy %q into the worktree: %w", name, err)
		}
	}
	return nil
}

// copy copies one file or link, with its mode.
func (c *carrier) copy(name string) error {
	from := filepath.Join(c.home, filepath.FromSlash(name))
	info, err := os.Lstat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := c.tree.Lstat(name); err == nil {
		return nil
	}
	if err := c.folder(path.Dir(name)); err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		err = c.link(from, name)
	case info.Mode().IsRegular():
		err = c.file(from, name, info.Mode().Perm())
	default: // a socket or a pipe belongs to the process that made it
		return nil
	}
	if err == nil {
		c.files++
		c.bytes += info.Size()
	}
	return err
}

// folder creates a folder with its mode in home.
func (c *carrier) folder(name string) error {
	if _, err := c.tree.Stat(name); err == nil {
		return nil
	}
	if err := c.folder(path.Dir(name)); err != nil {
		return err
	}
	mode := fs.FileMode(0o755)
	if info, err := os.Stat(filepath.Join(c.home, filepath.FromSlash(name))); err == nil {
		mode = info.Mode().Perm() | 0o700
	}
	if err := c.tree.Mkdir(name, mode); err != nil {
		return err
	}
	return c.tree.Chmod(name, mode) // regardless of the umask
}

// link copies a link. A relative link that leads out of home is changed to lead to the same place from the worktree.
func (c *carrier) link(from, name string) error {
	target, err := os.Readlink(from)
	if err != nil {
		return err
	}
	if up := path.Join(path.Dir(name), filepath.ToSlash(target)); !filepath.IsAbs(target) && (up == ".." || strings.HasPrefix(up, "../")) {
		target = filepath.Join(filepath.Dir(from), target)
	}
	return c.tree.Symlink(target, name)
}

func (c *carrier) file(from, name string, mode fs.FileMode) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := c.tree.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if err = errors.Join(err, dst.Close()); err != nil {
		return err
	}
	return c.tree.Chmod(name, mode)
}
