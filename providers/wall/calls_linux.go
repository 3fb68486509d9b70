package wall

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in the data that a filter sees (struct seccomp_data): the number of the call, and the lower and upper halves
// of its arguments.
const (
	callNumber   = 0
	architecture = 4
	firstLow     = 16
	secondLow    = 24
	thirdLow     = 32
	thirdHigh    = thirdLow + 4
)

// filterCalls has the kernel refuse calls that Landlock does not know, for the calling thread and what it starts:
// new limits for another process, with which it could be killed, characters that are put into a terminal as if
// they had been typed, leases of files, by which everyone else who opens a file that can be read waits up to 45 s, and the
// keys that the kernel keeps for a user, such as tickets of Kerberos, which could be read, replaced and removed. With
// attributes, changes of extended attributes and inode flags are refused, too, as on a file system that has none. Systems with
// other numbers of calls than those here are not filtered.
func filterCalls(attributes bool) error {
	return filter(func(n numbers) []unix.SockFilter { return n.rules(attributes) })
}

// hasACL reports whether a folder or file that may be written has a list of access. What is created in such a folder has one,
// too, and then cp and install, for one, fail where they cannot copy it.
func hasACL(paths []string) bool {
	for _, path := range paths {
		for _, name := range []string{"system.posix_acl_access", "system.posix_acl_default"} {
			if n, err := unix.Getxattr(path, name, nil); err == nil && n > 0 {
				return true
			}
		}
	}
	return false
}

// filterSockets has the kernel refuse, in addition, sockets that lead out of a network that processes have to themselves:
// all but those of that network and of the file system. Such as those between a virtual machine and its host belong to no
// network. Rings of requests (io_uring) can open sockets too, and no filter sees what is in them.
func filterSockets() error {
	return filter(numbers.socketRules)
}

// filter adds a filter with a part for each architecture.
func filter(rules func(numbers) []unix.SockFilter) error {
	program := []unix.SockFilter{{Code: loadWord, K: architecture}}
	for _, c := range calls() {
		program = append(program, rules(c)...)
	}
	program = append(program, unix.SockFilter{Code: end, K: unix.SECCOMP_RET_ALLOW})
	of := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&of)), 0, 0)
	// The kernel has read the memory by its address, which the collector does not know.
	runtime.KeepAlive(program)
	if err == unix.EINVAL || err == unix.ENOSYS {
		// The kernel was built without filters.
		return nil
	}
	return err
}

const (
	loadWord = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	ifEqual  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	ifLeast  = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	ifAbove  = unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K
	end      = unix.BPF_RET | unix.BPF_K
)

// numbers are those of prlimit64, ioctl, add_key and fcntl, which may have two, on an architecture, of setxattr, of socket, and
// of socketcall, an older way to call it. request_key and keyctl follow add_key; lsetxattr and fsetxattr follow setxattr, and
// six calls that read lie between these and removexattr, lremovexattr and fremovexattr. From other on, they are those of
// another way to make the same calls.
type numbers struct {
	arch, limits, control, keys uint32
	files                       [2]uint32
	attributes                  uint32
	socket, socketcall          uint32
	other                       uint32
}

// Numbers of newer calls that change attributes and flags, the same on all architectures.
const (
	setxattrat    = 463
	removexattrat = 466
	fileSetattr   = 469
)

// flagRequests lists the requests of ioctl that change the flags or the version of an inode, with the words of 64 and of 32 bits.
// ext4 has numbers of its own for versions.
func flagRequests() []uint32 {
	return []uint32{
		0x40086602, 0x40046602, // FS_IOC_SETFLAGS
		0x401c5820,             // FS_IOC_FSSETXATTR
		0x40087602, 0x40047602, // FS_IOC_SETVERSION
		0x40086604, 0x40046604, // EXT4_IOC_SETVERSION
		0x40806685, // FS_IOC_ENABLE_VERITY
	}
}

// ringSetup is the number of io_uring_setup on all architectures.
const ringSetup = 425

// x32 begins the numbers of calls with pointers of 32 bits on x86_64. No distribution uses them.
const x32 = 0x40000000

// calls lists the architectures whose calls a process of this one can make.
func calls() []numbers {
	const none = ^uint32(0)
	switch runtime.GOARCH {
	case "amd64":
		return []numbers{
			{unix.AUDIT_ARCH_X86_64, 302, 16, 248, [2]uint32{72, 72}, 188, 41, none, x32},
			{unix.AUDIT_ARCH_I386, 340, 54, 286, [2]uint32{55, 221}, 226, 359, 102, none},
		}
	case "arm64":
		return []numbers{
			{unix.AUDIT_ARCH_AARCH64, 261, 29, 217, [2]uint32{25, 25}, 5, 198, none, none},
			{unix.AUDIT_ARCH_ARM, 369, 54, 309, [2]uint32{55, 221}, 226, 281, none, none},
		}
	}
	return nil
}

// rules is the part of the filter for one architecture: jumps count the instructions that are left out.
func (n numbers) rules(attributes bool) []unix.SockFilter {
	var first []unix.SockFilter
	if attributes {
		first = n.attributeRules()
	}
	return append(append([]unix.SockFilter{
		{Code: ifEqual, K: n.arch, Jf: uint8(len(first) + 23)}, // else the next architecture
		{Code: loadWord, K: callNumber},
	}, first...), []unix.SockFilter{
		{Code: ifLeast, K: n.other, Jt: 19},
		{Code: ifEqual, K: n.limits, Jt: 6},
		{Code: ifEqual, K: n.control, Jt: 11},
		{Code: ifEqual, K: n.files[0], Jt: 14},
		{Code: ifEqual, K: n.files[1], Jt: 13},
		{Code: ifLeast, K: n.keys, Jf: 1},
		{Code: ifAbove, K: n.keys + 2, Jf: 13},
		{Code: end, K: unix.SECCOMP_RET_ALLOW},
		// Limits: allowed for this process, and if there is no new one.
		{Code: loadWord, K: firstLow},
		{Code: ifEqual, K: 0, Jt: 11},
		{Code: loadWord, K: thirdLow},
		{Code: ifEqual, K: 0, Jf: 8},
		{Code: loadWord, K: thirdHigh},
		{Code: ifEqual, K: 0, Jt: 7, Jf: 6},
		// Terminals: refused are the two requests that type.
		{Code: loadWord, K: secondLow},
		{Code: ifEqual, K: unix.TIOCSTI, Jt: 4},
		{Code: ifEqual, K: tiocLinux, Jt: 3},
		{Code: end, K: unix.SECCOMP_RET_ALLOW},
		// Files: refused are leases.
		{Code: loadWord, K: secondLow},
		{Code: ifEqual, K: unix.F_SETLEASE, Jf: 1},
		{Code: end, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: end, K: unix.SECCOMP_RET_ALLOW},
	}...)
}

// attributeRules refuse to change extended attributes and flags. They begin and end with the number of the call loaded.
func (n numbers) attributeRules() []unix.SockFilter {
	// Programs that copy files take this for a file system without attributes, and any other error for a failure.
	unsupported := unix.SockFilter{Code: end, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EOPNOTSUPP)}
	out := []unix.SockFilter{}
	for _, calls := range [][2]uint32{
		{n.attributes, n.attributes + 2}, {n.attributes + 9, n.attributes + 11},
		{setxattrat, setxattrat}, {removexattrat, removexattrat}, {fileSetattr, fileSetattr},
	} {
		out = append(out, unix.SockFilter{Code: ifLeast, K: calls[0], Jf: 2}, unix.SockFilter{Code: ifAbove, K: calls[1], Jt: 1}, unsupported)
	}
	requests := flagRequests()
	out = append(out, unix.SockFilter{Code: ifEqual, K: n.control, Jf: uint8(2*len(requests) + 2)}, unix.SockFilter{Code: loadWord, K: secondLow})
	for _, request := range requests {
		out = append(out, unix.SockFilter{Code: ifEqual, K: request, Jf: 1}, unsupported)
	}
	return append(out, unix.SockFilter{Code: loadWord, K: callNumber})
}

// socketRules is the part of the filter of sockets for one architecture.
func (n numbers) socketRules() []unix.SockFilter {
	return []unix.SockFilter{
		{Code: ifEqual, K: n.arch, Jf: 12}, // else the next architecture
		{Code: loadWord, K: callNumber},
		{Code: ifEqual, K: ringSetup, Jt: 8},
		{Code: ifEqual, K: n.socketcall, Jt: 7},
		{Code: ifEqual, K: n.socket, Jf: 7},
		{Code: loadWord, K: firstLow},
		{Code: ifEqual, K: unix.AF_UNIX, Jt: 5},
		{Code: ifEqual, K: unix.AF_INET, Jt: 4},
		{Code: ifEqual, K: unix.AF_INET6, Jt: 3},
		{Code: ifEqual, K: unix.AF_NETLINK, Jt: 2}, // which tells of the interfaces of that network
		{Code: end, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EAFNOSUPPORT)},
		{Code: end, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
		{Code: end, K: unix.SECCOMP_RET_ALLOW},
	}
}

// tiocLinux is the request with which a console can be made to paste.
const tiocLinux = 0x541c
