// Package wall starts processes behind a wall: they and all their descendants can write only where a Policy allows it,
// read everything but what it hides, and, where the system supports it, signal no process outside.
//
// It decides nothing about runs: which paths an agent or a criterion needs is the caller's knowledge. It never changes a
// file, except that Start needs the paths of a policy to exist.
//
// # Systems
//
//   - Linux: Landlock, from ABI 3 (Linux 6.2). Signals and abstract sockets are restricted from ABI 6 (Linux 6.12), sockets
//     in the file system never. A process cannot leave the wall, whatever it clears, detaches from or executes. It can have a
//     network to itself where this process may make one, as root or in a user namespace.
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
// 2026-11-30: behind the wall no file gets or loses an extended attribute or an inode flag, by the answer of a file system that
// has none (EOPNOTSUPP): Landlock does not restrict them, and a command could leave the next one a mark that no one looks for.
// What copies files takes that answer for what it is, and only what was asked for attributes complains; programs that cannot
// do without, such as setcap, fail. Where a folder that may be written has a list of access, which is an attribute, they
// are not refused, since cp -p and install fail if they cannot copy one. Rings of requests (io_uring) can still set
// attributes: no filter sees what is in them, and tests of programs that use them need them. Rejected: reading the attributes
// of each file between two commands, which costs a call for each and finds no flags.
//
// 2026-11-29: what is hidden is hidden at each place at which its folder is mounted: a rule for a folder beside what is hidden
// counts for all places of that folder. Rejected: leaving it to mounts of the wall's own, which only root may make.
//
// 2026-11-28: what may reach services alone has a network namespace, in which there is nothing else: no other port or address
// of this machine, no UDP, no abstract socket. Root makes it for the thread. The kernel lets other users make one only with a
// new process and users of its own, so this program is started there first, brings up the loopback interface, sends its
// listeners and becomes the command, which costs one start of chant, for these users and policies alone. Rejected: Landlock's
// rules for ports, which allow a port on every address of the world; a filter that asks this process about each connect,
// since the address can change between its answer and the call; and programs such as bwrap or pasta, which few machines have.
//
// 2026-11-28: a thread of this process restricts itself, starts the command and ends; the runtime throws it away. The
// command is stopped before its first instruction until the thread is gone, since those behind a wall may trace and kill
// what shares it, and with a thread the whole process. Where nobody may trace (ptrace_scope 3, a debugger), it is not
// stopped. This reverses a decision of 2026-11-26, by which this program was started anew to restrict itself: 7.7 ms of
// CPU time for each start, now 1.3 ms beside a plain one. Rejected: processes that cannot be dumped, whose threads can
// still be killed.
//
// 2026-11-28: a shell in front of the wall, the warden, kills what is behind it. A fence, which is nothing but a scope of
// signals, is around both, so the warden can signal no one else, and nobody behind the wall can signal it. It also kills
// when this process dies. Rejected: a thread that stays, since a thread behind a fence cannot start one that is behind
// fence and wall; a process that waits behind the wall, which could be killed there; cgroups and process namespaces,
// which most users may not create.
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
