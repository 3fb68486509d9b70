//go:build unix

package tree

import (
	"io/fs"
	"syscall"
)

// leads reports whether a file is a link, or one of several names of a file.
func leads(info fs.FileInfo) bool {
	if info.Mode()&fs.ModeSymlink != 0 {
		return true
	}
	stat, known := info.Sys().(*syscall.Stat_t)
	return known && info.Mode().IsRegular() && stat.Nlink > 1
}
