package providers

import (
	"os"
	"syscall"
)

// ownGroup keeps the console's Ctrl-C from the child: chant decides.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// ownGroupID is 0: Windows has no process groups that could be signalled.
func ownGroupID() int { return -1 }

func signalGroup(int, bool) {}

// signalProcess ends the process at once. Windows has no polite signal for a
// program without a window, so the grace goes unused.
func signalProcess(r row, _ bool) { signalOne(r, os.Kill) }

func exitOf(state *os.ProcessState) Exit {
	return Exit{Code: state.ExitCode(), Busy: state.UserTime() + state.SystemTime()}
}
