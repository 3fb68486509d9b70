package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
	"chant/gitops/rootdir"
)

// ChangedError says that a file changed after its writer had read it.
type ChangedError struct{ Path string }

// Error names the file.
func (e *ChangedError) Error() string {
	return fmt.Sprintf("%q changed while it was being edited", e.Path)
}

// ExistsError says that a file to create already exists.
type ExistsError struct{ Path string }

// Error names the file.
func (e *ExistsError) Error() string { return fmt.Sprintf("%q already exists", e.Path) }

// Write replaces a file below tree if its content is still old; otherwise it returns
// *ChangedError. With a nil old the file must not exist yet (*ExistsError); a
// nil next removes it. Writers of one project take turns; a reader sees the old
// bytes or the new ones.
func (s *Store) Write(ctx context.Context, tree, path string, old, next []byte) error {
	return s.withWriteLock(ctx, "write "+path, func() error { return s.compareAndReplace(tree, path, old, next) })
}

// withWriteLock acts while no other writer of the project does.
func (s *Store) withWriteLock(ctx context.Context, what string, act func() error) error {
	turn, err := s.Local(local.Locks, "write.lock")
	if err != nil {
		return err
	}
	lock, err := lockfile.AcquireWait(ctx, turn, what)
	if err != nil {
		return err
	}
	return errors.Join(act(), lock.Release())
}

// Put writes a file below a worktree of ours, whatever is there.
func (s *Store) Put(tree, path string, content []byte) error {
	path = s.inTree(tree, path)
	return rootdir.In(tree, func(root *os.Root) error {
		// A link in place of the file or of one of its folders is removed, never followed: an agent may have put it there.
		if err := rootdir.DropLinks(root, path); err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		// A script stays executable.
		if info, err := root.Lstat(filepath.FromSlash(path)); err == nil && info.Mode().IsRegular() {
			mode = info.Mode().Perm()
		}
		return rootdir.Write(root, path, content, mode)
	})
}

// inTree returns the path of a file of the project from the folder that names a worktree.
func (s *Store) inTree(tree, path string) string {
	if tree == s.home {
		return path
	}
	return s.repo.FromTop(path)
}

// compareAndReplace replaces a file as Write does, without taking turns.
func (s *Store) compareAndReplace(tree, path string, old, next []byte) error {
	// The path is checked at each write, because a folder may have become a link since the last one.
	full := s.inTree(tree, path)
	if err := checkLinks(tree, full); err != nil {
		return err
	}
	if tree != s.home {
		return compareInTree(tree, full, old, next)
	}
	// Home is the user's own checkout: unlike in a run's worktree, nothing replaces files there between two steps on
	// purpose.
	full = filepath.Join(tree, filepath.FromSlash(path))
	// Writing through a link would change a file that the commit does not contain.
	if info, err := os.Lstat(full); err == nil && !info.Mode().IsRegular() {
		return &local.FileError{Path: path, Msg: "is not a regular file, and chant writes through no link"}
	}
	have, err := os.ReadFile(full)
	if err := sameContent(path, old, have, err); err != nil {
		return err
	}
	return s.replace(full, next)
}

// takeBack writes the text that a file had before a change, also where no space is left for a second file: it then takes the
// place of the longer one.
func (s *Store) takeBack(tree, path string, have, old []byte) error {
	err := s.compareAndReplace(tree, path, have, old)
	if _, full := disk.FullIn(err); !full || old == nil || len(old) > len(have) {
		return err
	}
	return rootdir.In(tree, func(root *os.Root) error { return rootdir.Overwrite(root, s.inTree(tree, path), have, old) })
}

// sameContent returns an error if a file, as it was read, is not what its writer expects.
func sameContent(path string, old, have []byte, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && old != nil:
		return &ChangedError{path}
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("read %q: %w", path, err)
	case old == nil:
		return &ExistsError{path}
	case !bytes.Equal(have, old):
		return &ChangedError{path}
	}
	return nil
}

// compareInTree is compareAndReplace in the worktree of a run.
func compareInTree(tree, path string, old, next []byte) error {
	// An agent may be at work there, so no link is followed at any part of the path, whenever it is made.
	return rootdir.In(tree, func(root *os.Root) error {
		if leads := rootdir.LinkAbove(tree, path); leads != "" {
			return &local.FileError{Path: leads, Msg: "is a link, and chant writes through none"}
		}
		mode := fs.FileMode(0o644)
		if info, err := root.Lstat(filepath.FromSlash(path)); err == nil {
			if mode = info.Mode().Perm(); !info.Mode().IsRegular() {
				return &local.FileError{Path: path, Msg: "is not a regular file, and chant writes through no link"}
			}
		}
		// Reading and writing use the same open root, so the folder cannot be exchanged between them.
		have, err := rootdir.Read(root, path, maxSpecSize)
		if err := sameContent(path, old, have, err); err != nil {
			return err
		}
		if next == nil {
			return root.Remove(filepath.FromSlash(path))
		}
		return rootdir.Write(root, path, next, mode)
	})
}

// replace writes or removes a file in home.
func (s *Store) replace(full string, next []byte) error {
	if next == nil {
		return os.Remove(full)
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	// The temporary file is in the ignored cache folder, so that a crash leaves nothing that git or an agent could find.
	temp, err := s.Temp()
	if err != nil {
		return err
	}
	if err := disk.Write(full, next, disk.Options{Temp: temp}); err != nil {
		return fmt.Errorf("write %q: %w", full, err)
	}
	return nil
}
