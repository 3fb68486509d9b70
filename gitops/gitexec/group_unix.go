//go:build unix

package gitexec

import (
	"os"
	"syscall"
)

// ownGroup starts a process as the head of a group, so that what it starts ends with it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endGroup asks the whole group to end, or with force ends it.
func endGroup(p *os.Process, force bool) error {
	signal := syscall.SIGTERM
	if force {
		signal = syscall.SIGKILL
	}
	// A negative number names the group.
	return syscall.Kill(-p.Pid, signal)
}
