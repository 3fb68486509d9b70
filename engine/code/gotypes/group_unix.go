//go:build unix

package gotypes

import (
	"os"
	"syscall"
)

// ownGroup starts a process as the head of a group, so that what it starts ends with it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends the whole group.
func endGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
