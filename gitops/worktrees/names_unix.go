//go:build unix

package worktrees

import (
	"io/fs"
	"syscall"
)

// names returns how many names a file has, 1 if the system does not say.
func names(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}
