package gitexec

import (
	"os"
	"syscall"
)

// ownGroup keeps the console's Ctrl-C away from the process.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endGroup ends the process; Windows knows no polite way.
func endGroup(p *os.Process, _ bool) error { return p.Kill() }
