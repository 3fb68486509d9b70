package wall

import (
	"golang.org/x/sys/unix"
)

// isolateIPC gives the calling thread, and what it starts, terminals, shared memory and messages between processes of its own,
// and reports whether it has got terminals. Only who may mount can have that: root, if no container keeps it from that.
func isolateIPC(memory bool) bool {
	if unix.Unshare(unix.CLONE_FS|unix.CLONE_NEWNS|unix.CLONE_NEWIPC) != nil {
		return false
	}
	// Nothing that is mounted here may show outside.
	if unix.Mount("none", "/", "", unix.MS_REC|unix.MS_SLAVE, "") != nil {
		return false
	}
	if memory && unix.Mount("tmpfs", sharedMemory, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777") != nil {
		return false
	}
	return unix.Mount("devpts", terminalDir, "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620") == nil
}
