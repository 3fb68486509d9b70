package layout

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// RealPath is path without symbolic links, as far as it exists.
func RealPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if parent := filepath.Dir(abs); parent != abs {
		return filepath.Join(RealPath(parent), filepath.Base(abs))
	}
	return abs
}

// RealPaths finds the real paths of worktrees that are beside each other, and looks once at what is above them: it maps
// folders to where they really are. It is for one look at them, since links may change.
type RealPaths map[string]string

// Of is RealPath.
func (r RealPaths) Of(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil || runtime.GOOS == "windows" { // where names have other forms, too
		return RealPath(path)
	}
	if info, err := os.Lstat(abs); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return RealPath(abs)
	}
	folder := filepath.Dir(abs)
	real, known := r[folder]
	if !known {
		real = RealPath(folder)
		r[folder] = real
	}
	return filepath.Join(real, filepath.Base(abs))
}
