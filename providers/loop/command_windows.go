package loop

import (
	"os"
	"syscall"
)

// ownGroup keeps the console's Ctrl-C away from a command.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endGroup ends the command itself. What it started is found by the process that runs
// the loop, when that ends.
func endGroup(p *os.Process) {
	_ = p.Kill() // an error says that it has ended
}
