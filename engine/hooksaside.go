package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/hooks"
)

// asideOf is where the hook at path is moved to.
func asideOf(path string) string {
	return filepath.Join(filepath.Dir(path), filepath.FromSlash(hooks.Aside(filepath.Base(path))))
}

// moveAside makes room for a hook of ours, which calls the one that was there. What was
// moved before is older and is kept beside it.
func moveAside(path string) error {
	aside := asideOf(path)
	if exists(aside) {
		if exists(aside + ".old") {
			return fail(Conflict, fmt.Sprintf("rm %q", filepath.ToSlash(aside+".old")), "the hook %q was replaced more than once; %q and %q are kept already", path, aside, aside+".old")
		}
		if err := os.Rename(aside, aside+".old"); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(aside), 0o755); err != nil {
		return err
	}
	if err := rename(path, aside, func(target string) string { return "../" + target }); err != nil {
		return err
	}
	return replace(path, hooks.Own(filepath.Base(path)), 0o755)
}

// moveBack puts a hook in its place again, instead of ours.
func moveBack(path string) error {
	aside := asideOf(path)
	err := rename(aside, path, func(target string) string { return strings.TrimPrefix(target, "../") })
	if entries, readErr := os.ReadDir(filepath.Dir(aside)); err == nil && readErr == nil && len(entries) == 0 {
		err = gone(filepath.Dir(aside))
	}
	return err
}

// rename moves a file into a folder one below or above, and lets a link whose target is
// seen from its folder point to the same.
func rename(from, to string, retarget func(string) string) error {
	target, err := os.Readlink(from)
	if err != nil || filepath.IsAbs(target) {
		return os.Rename(from, to) // no link, or one that points to the same from anywhere
	}
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Symlink(retarget(target), to); err != nil {
		return err
	}
	return os.Remove(from)
}
