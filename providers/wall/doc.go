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
// 2026-11-26: the wall is built on a single thread of this process, from which the child is forked; the thread ends
// with it. Rejected: a process of our own that restricts itself and executes the program, which costs a start of this
// program each time; and restricting all threads, after which this process could not write anything.
//
// 2026-11-26: the system calls of go-landlock are used, not its policies, which apply to all threads.
package wall
