//go:build unix

package loop

import (
	"os"
	"syscall"
)

// ownGroup makes a command the head of a group, so that what it starts ends with it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends everything of a command's group. The number cannot be another's: a group
// keeps it as long as one of it lives.
func endGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL) // an error says that nobody is left
}
