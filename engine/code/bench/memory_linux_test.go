package bench

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// memoryOf is the greatest resident memory of a process that has ended, in bytes.
func memoryOf(s *os.ProcessState) float64 {
	use, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(use.Maxrss) * 1024
}

// memoryNow is the resident memory of a process, in bytes.
func memoryNow(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		return 0
	}
	return kib * 1024
}

// processorTime is how many seconds of a processor this process has used.
func processorTime() float64 {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0
	}
	return float64(use.Utime.Nano()+use.Stime.Nano()) / 1e9
}
