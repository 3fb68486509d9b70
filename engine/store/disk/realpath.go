package disk

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file resolves the symbolic links of paths, and decides which paths are inside a folder once they are
// resolved.
//
// It opens and writes nothing. What it answers is true at the moment of the call: a caller that must not follow a link
// which is created afterwards opens the file through os.Root.

// ErrOutside is returned for a path that leads out of its folder.
var ErrOutside = errors.New("path leads out of its folder")

// RealPath resolves the symbolic links of a path, as far as it exists. A link to a missing file is not resolved.
func RealPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	// The part that exists is resolved, so that a file that is about to be made has a path to compare as well.
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(RealPath(parent), filepath.Base(path))
	}
	return path
}

// Leads returns every resolved place to which a path leads, and those to which the links below it lead: each link on the way,
// and what is at its end, whether it exists or not. What hides or watches a file by its path needs all of them.
func Leads(path string) []string {
	var out []string
	open := []string{path}
	for entries := 0; len(open) > 0 && len(out) < maxLeads; {
		at := open[0]
		open = open[1:]
		if !filepath.IsAbs(at) {
			continue
		}
		// Its folder is resolved, but not the path itself: a link is a place, too. The text of a link is not cleaned before,
		// since behind another link ".." leads elsewhere than it looks.
		folder, base := filepath.Split(strings.TrimRight(at, separator))
		if base == "." || base == ".." {
			folder, base = at, ""
		}
		if at = filepath.Join(RealPath(cmp.Or(strings.TrimRight(folder, separator), separator)), base); slices.Contains(out, at) {
			continue
		}
		out = append(out, at)
		if to, err := os.Readlink(at); err == nil {
			if !filepath.IsAbs(to) {
				to = filepath.Dir(at) + separator + to
			}
			open = append(open, to)
			continue
		}
		// The limit is for a link that leads to a folder such as that of the user.
		_ = filepath.WalkDir(at, func(below string, d fs.DirEntry, err error) error {
			if entries++; entries > maxLeads {
				return fs.SkipAll
			}
			if err == nil && d.Type()&fs.ModeSymlink != 0 && below != at {
				open = append(open, below)
			}
			return nil
		})
	}
	return out
}

const separator = string(filepath.Separator)

// maxLeads bounds how many places Leads returns, and how many entries of folders it looks at.
const maxLeads = 10_000

// SamePlace reports whether two paths are the same file or folder.
func SamePlace(a, b string) bool { return RealPath(a) == RealPath(b) }

// Within reports whether a path is in a folder, or is that folder.
func Within(folder, path string) bool {
	rel, err := filepath.Rel(RealPath(folder), RealPath(path))
	return err == nil && filepath.IsLocal(rel)
}

// RealBelow resolves a slash-separated name in a folder, and returns where it leads, relative to the resolved folder.
// Errors: ErrOutside, fs.ErrNotExist for a missing file or folder.
func RealBelow(folder, name string) (rel string, err error) {
	// The folder itself may be reached through a link, which does not lead out of it.
	top, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	if rel, err = filepath.Rel(top, real); err != nil || !filepath.IsLocal(rel) {
		return "", ErrOutside
	}
	return rel, nil
}
