//go:build unix

package rootdir

import (
	"errors"
	"io/fs"
	"syscall"
)

// Nonblock keeps the opening of a pipe from waiting for its other end, and that of a file on which a process holds a lease
// from waiting for that process.
const Nonblock = syscall.O_NONBLOCK | syscall.O_NOCTTY

// Linked reports whether a file has more than one name.
func Linked(info fs.FileInfo) bool {
	stat, known := info.Sys().(*syscall.Stat_t)
	return known && info.Mode().IsRegular() && stat.Nlink > 1
}

// TooDeep reports whether a path is longer than the system takes: nothing that git could open is there.
func TooDeep(err error) bool {
	return errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.ELOOP)
}
