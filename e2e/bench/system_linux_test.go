package bench

import (
	"fmt"
	"os"
	"syscall"
)

// peakMemory returns the largest resident memory of a process that has ended, in bytes.
func peakMemory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}

// residentMemory returns the resident memory of a running process in bytes.
func residentMemory(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	return vmRSS(string(status))
}

// memoryFolder returns a folder in memory with room for large projects, "" if there is none. Disks differ more than
// processors, and vary more from run to run.
func memoryFolder() string {
	const (
		folder = "/dev/shm"
		needed = 4 << 30 // bytes
		noExec = 0x8     // ST_NOEXEC of statvfs(3)
	)
	var fs syscall.Statfs_t
	if syscall.Statfs(folder, &fs) != nil || fs.Flags&noExec != 0 || fs.Bavail*uint64(fs.Bsize) < needed {
		return ""
	}
	return folder
}
