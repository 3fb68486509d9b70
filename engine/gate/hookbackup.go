package gate

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/engine"
	"chant/engine/hooks"
	"chant/engine/next"
)

// asideOf is where the hook at path was moved to, or would be.
func asideOf(path string) string {
	dir, name := filepath.Split(path)
	if named := filepath.Join(dir, filepath.FromSlash(hooks.AsideNamed(name))); engine.Exists(named) {
		return named
	}
	return filepath.Join(dir, hooks.Aside(name))
}

// contentOf is what stands in a file or in what a link leads to, nil when it is nowhere.
func contentOf(path string) []byte {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return src
}

// severalNames reports whether a hook is a program that stands in its folder under the
// names of others too, moved ones included: then it does what it is called by.
func severalNames(path string, src []byte) bool {
	dir := filepath.Dir(path)
	for _, folder := range []string{dir, filepath.Dir(filepath.Join(dir, filepath.FromSlash(hooks.AsideNamed("name"))))} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // there is none
		}
		for _, at := range entries {
			other := filepath.Join(folder, at.Name())
			if other != path && filepath.Ext(other) == "" && !at.IsDir() && bytes.Equal(contentOf(other), src) {
				return true
			}
		}
	}
	return false
}

// moveAside makes room for a hook of ours, which calls the one that was there. What was
// moved before is older and is kept beside it.
func moveAside(path string) error {
	src, aside := contentOf(path), asideOf(path)
	if engine.Exists(aside) {
		if engine.Exists(aside + ".old") {
			return engine.Fail(engine.Conflict, next.Shell("ls -l %q", filepath.ToSlash(filepath.Dir(aside))), "the hook %q was replaced more than once; %q and %q are kept already", path, aside, aside+".old")
		}
		if err := os.Rename(aside, aside+".old"); err != nil {
			return err
		}
		aside = asideOf(path)
	}
	if !hooks.Shell(src) && severalNames(path, src) {
		dir, name := filepath.Split(path)
		aside = filepath.Join(dir, filepath.FromSlash(hooks.AsideNamed(name)))
	}
	if err := os.MkdirAll(filepath.Dir(aside), 0o755); err != nil {
		return err
	}
	if err := rename(path, aside, func(target string) string { return "../" + target }); err != nil {
		return err
	}
	return replace(path, hooks.Own(filepath.Base(path), src), 0o755)
}

// moveBack puts a hook in its place again, instead of ours.
func moveBack(path string) error {
	aside := asideOf(path)
	err := rename(aside, path, func(target string) string { return strings.TrimPrefix(target, "../") })
	if filepath.Dir(aside) == filepath.Dir(path) {
		return err
	}
	if entries, readErr := os.ReadDir(filepath.Dir(aside)); err == nil && readErr == nil && len(entries) == 0 {
		err = gone(filepath.Dir(aside))
	}
	return err
}

// rename moves a file within its folder, or into one below or above, and lets a link whose
// target is seen from its folder point to the same.
func rename(from, to string, retarget func(string) string) error {
	target, err := os.Readlink(from)
	if err != nil || filepath.IsAbs(target) || filepath.Dir(from) == filepath.Dir(to) {
		return os.Rename(from, to) // no link, or one that points to the same from there
	}
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Symlink(retarget(target), to); err != nil {
		return err
	}
	return os.Remove(from)
}
