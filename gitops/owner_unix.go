//go:build unix

package gitops

import (
	"os"
	"syscall"
)

// ownedByOther reports whether a file or folder is another user's.
func ownedByOther(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) != os.Geteuid()
}
