package gate

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/engine"
	"chant/engine/format/hooks"
	"chant/engine/spec/next"
)

// backupPath returns the path to which the hook at path was moved, or would be moved.
func backupPath(path string) string {
	dir, name := filepath.Split(path)
	if named := filepath.Join(dir, filepath.FromSlash(hooks.AsideNamed(name))); engine.Exists(named) {
		return named
	}
	return filepath.Join(dir, hooks.AsideName(name))
}

// readOrNil returns the content of a file, nil if it cannot be read. It follows links.
func readOrNil(path string) []byte {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return src
}

// hasSeveralNames reports whether the folder of hooks, or the folder to which hooks are moved, has the same program
// under another name. Such a program decides by its name what it does.
func hasSeveralNames(path string, src []byte) bool {
	dir := filepath.Dir(path)
	for _, folder := range []string{dir, filepath.Dir(filepath.Join(dir, filepath.FromSlash(hooks.AsideNamed("name"))))} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			// The folder does not exist.
			continue
		}
		for _, at := range entries {
			other := filepath.Join(folder, at.Name())
			// A folder, or a file with an extension such as a sample, does not count as a name of it.
			if other != path && filepath.Ext(other) == "" && !at.IsDir() && bytes.Equal(readOrNil(other), src) {
				return true
			}
		}
	}
	return false
}

// moveAside moves a hook away and writes one of ours in its place, which calls the moved hook. A hook that was moved
// earlier is kept with the ending ".old".
func moveAside(path string) error {
	src, aside := readOrNil(path), backupPath(path)
	// A tool has replaced our hook by its own since, so what was moved before is kept as well.
	if engine.Exists(aside) {
		if engine.Exists(aside + ".old") {
			return engine.Fail(engine.Conflict, next.Shell("ls -l %q", filepath.ToSlash(filepath.Dir(aside))), "the hook %q was replaced more than once; %q and %q are kept already", path, aside, aside+".old")
		}
		if err := os.Rename(aside, aside+".old"); err != nil {
			return err
		}
		aside = backupPath(path)
	}
	// Such a program keeps its name, and so gets a folder of its own.
	if !hooks.Shell(src) && hasSeveralNames(path, src) {
		dir, name := filepath.Split(path)
		aside = filepath.Join(dir, filepath.FromSlash(hooks.AsideNamed(name)))
	}
	if err := os.MkdirAll(filepath.Dir(aside), 0o755); err != nil {
		return err
	}
	if err := moveFile(path, aside, func(target string) string { return "../" + target }); err != nil {
		return err
	}
	return writeFile(path, hooks.OwnHook(filepath.Base(path), src), 0o755)
}

// restoreBackup replaces our hook with the hook that was moved away for it.
func restoreBackup(path string) error {
	aside := backupPath(path)
	err := moveFile(aside, path, func(target string) string { return strings.TrimPrefix(target, "../") })
	if filepath.Dir(aside) == filepath.Dir(path) {
		return err
	}
	if entries, readErr := os.ReadDir(filepath.Dir(aside)); err == nil && readErr == nil && len(entries) == 0 {
		err = removeIfExists(filepath.Dir(aside))
	}
	return err
}

// moveFile moves a file within its folder, or into a folder directly below or above it. A relative link still points to
// the same file afterwards.
func moveFile(from, to string, retarget func(string) string) error {
	target, err := os.Readlink(from)
	if err != nil || filepath.IsAbs(target) || filepath.Dir(from) == filepath.Dir(to) {
		// It is not a link, or a link that need not change.
		return os.Rename(from, to)
	}
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Symlink(retarget(target), to); err != nil {
		return err
	}
	return os.Remove(from)
}
