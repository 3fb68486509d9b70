package wall

import (
	"syscall"
	"unsafe"
)

// kept are the capabilities of root that programs need for work in their own files, by their numbers (capability.h):
// changing owners and modes, reading what another user of a container owns, other users and groups, low ports, chroot,
// and file capabilities, which packages set. With any other, root could get around a wall: programs in the kernel,
// devices, counters of other processes, their memory and environment, what they send each other on this machine (raw
// sockets), open files by number, the clock and the name of the machine. Signals stay within the wall also with the capability to send them.
const kept = 1<<chown | 1<<dacOverride | 1<<fowner | 1<<fsetid | 1<<kill | 1<<setgid | 1<<setuid | 1<<netBindService |
	1<<sysChroot | 1<<auditWrite | 1<<setfcap

const (
	chown          = 0
	dacOverride    = 1
	fowner         = 3
	fsetid         = 4
	kill           = 5
	setgid         = 6
	setuid         = 7
	netBindService = 10
	sysChroot      = 18
	auditWrite     = 29
	setfcap        = 31
)

const (
	maxCapabilities   = 64
	dropFromBounding  = 24         // PR_CAPBSET_DROP
	readBounding      = 23         // PR_CAPBSET_READ
	capabilityVersion = 0x20080522 // with two words for each set
)

// capabilityHeader and capabilityWord are what the kernel reads (struct __user_cap_header_struct and
// __user_cap_data_struct).
type (
	capabilityHeader struct {
		version uint32
		pid     int32
	}
	capabilityWord struct{ effective, permitted, inheritable uint32 }
)

// dropCapabilities takes all but those that are kept from the calling thread and what it executes.
func dropCapabilities() error {
	header := capabilityHeader{version: capabilityVersion}
	var have [2]capabilityWord
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CAPGET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&have)), 0); errno != 0 {
		return errno
	}
	if have[0].permitted&^kept == 0 && have[1].permitted == 0 {
		// This is not root, so there is nothing to drop and no right to do so.
		return nil
	}
	// The bounding set counts for programs that are executed later, which could otherwise get the capability back from their
	// file.
	for c := range uintptr(maxCapabilities) {
		set, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, readBounding, c, 0)
		if errno != 0 {
			// The kernel has no more.
			break
		}
		if set == 0 || kept>>c&1 != 0 {
			continue
		}
		if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, dropFromBounding, c, 0); errno != 0 && errno != syscall.EPERM {
			// Without the right to drop it, the sets below are what counts.
			return errno
		}
	}
	have[0] = capabilityWord{have[0].effective & kept, have[0].permitted & kept, have[0].inheritable & kept}
	have[1] = capabilityWord{}
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&have)), 0); errno != 0 {
		return errno
	}
	return nil
}
