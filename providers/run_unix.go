//go:build unix

package providers

import (
	"os"
	"syscall"
)

// ownGroup gives a child a session of its own, and so a process group with its
// number. Without a controlling terminal a password prompt fails at once; in a
// background group of ours it would stop the agent for ever.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// ownGroupID is the group of this process, which is never signalled.
func ownGroupID() int { return syscall.Getpgrp() }

func signalGroup(group int, force bool) {
	// An error means that the group is gone, or not ours; the next look decides.
	_ = syscall.Kill(-group, signalFor(force))
}

func signalProcess(r row, force bool) { signalOne(r, signalFor(force)) }

func signalFor(force bool) syscall.Signal {
	if force {
		return syscall.SIGKILL
	}
	return syscall.SIGTERM
}

func exitOf(state *os.ProcessState) Exit {
	busy := state.UserTime() + state.SystemTime()
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return Exit{Code: 128 + int(status.Signal()), Signal: status.Signal().String(), Busy: busy}
	}
	return Exit{Code: state.ExitCode(), Busy: busy}
}
