package lockfile

import (
	"strconv"
	"syscall"
)

// bootID is unknown here; start times are absolute and do without it.
func bootID() string { return "" }

// startTime is when a process started, in nanoseconds since 1970.
func startTime(pid int) string {
	process, err := syscall.OpenProcess(syscall.PROCESS_QUERY_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer syscall.CloseHandle(process)
	var created, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &created, &ended, &kernel, &user); err != nil {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}
