package e2e

import (
	"os"
	"syscall"
)

const (
	memory      = "/dev/shm"
	memoryNeeds = 2 << 30 // bytes
	noExec      = 0x8     // ST_NOEXEC of statvfs(3)
)

// scratch makes a folder in memory for the repositories of the tests, so that thousands of small
// commits do not wait for a disk. It is "" where TMPDIR names a folder, or where memory has too
// little room or may not hold programs.
func scratch() string {
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(memory, &fs) != nil || fs.Flags&noExec != 0 ||
		fs.Bavail*uint64(fs.Bsize) < memoryNeeds {
		return ""
	}
	dir, err := os.MkdirTemp(memory, scratchPrefix)
	if err != nil {
		return ""
	}
	return dir
}
