package gotypes

import (
	"os"
	"syscall"
)

// ownGroup keeps the console's Ctrl-C away from the process.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endGroup ends the process.
func endGroup(p *os.Process) error { return p.Kill() }
