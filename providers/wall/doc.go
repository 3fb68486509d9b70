// Package wall starts processes behind a wall: they and all their descendants can write only where a Policy allows it,
// read everything but what it hides, and, where the system supports it, signal no process outside.
//
// It decides nothing about runs: which paths an agent or a criterion needs is the caller's knowledge. It never changes a
// file, except that Start needs the paths of a policy to exist.
//
// # Systems
//
//   - Linux: Landlock, from ABI 3 (Linux 6.2). Signals and abstract sockets are restricted from ABI 6 (Linux 6.12),
//     sockets in the file system from ABI 9. A process cannot leave the wall, whatever it clears, detaches from or
//     executes.
//   - macOS: sandbox-exec with a profile.
//   - Other systems: none. State.Why says so.
//
// # Rules
//
//   - A rule belongs to the file or folder that has a path when the process starts. A path that does not exist then is
//     not allowed, also if it is created later.
//   - Hidden paths are kept from readers by allowing everything around them: Landlock has no rule that forbids. So what
//     is created later in a folder above a hidden path cannot be read, unless it is in a folder that existed. Names of
//     files can be listed everywhere.
//   - What may be written may be read. Links are followed by the system before it decides, so they change nothing.
//
// # Decisions
//
// 2026-11-26: this program is started anew, restricts itself and becomes the command (package door). No thread of this
// process is behind the wall at any time: those behind it may trace each other. Rejected: restricting the thread that
// forks, as before; and restricting all threads, after which this process could not write anything.
//
// 2026-11-26: the thread that starts the command stays, behind a fence that is nothing but a scope of signals around the
// wall. It can signal those behind the wall and no one else, and none of them can signal it. Rejected: a process that
// waits behind the wall for the end, which could be killed there.
//
// 2026-11-26: root loses behind a wall what a container of Docker does not have by default, and making devices and
// changing its own limits of capabilities: with those it could write to a disk through a device file of its own, load
// programs into the kernel, and read the memory and the environment of this process. Nor can anyone make device files.
// Rejected: a list of system calls, which has to grow with the kernel.
//
// 2026-11-27: root also loses raw sockets, with which it read what others send each other on this machine, such as the
// token of a page of chant; ping needs none where net.ipv4.ping_group_range allows it. And the calls for keys of the
// kernel are refused, as in containers: the keys of a user are shared by all of its processes. Rejected: a ring of keys
// for each wall, which its processes can leave for that of the user.
//
// 2026-11-26: the system calls of go-landlock are used, not its policies, which apply to all threads.
package wall
