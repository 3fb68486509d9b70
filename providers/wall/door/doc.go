// Package door is how a command gets behind a wall of Linux: Enter has this program started anew, and the new process
// restricts itself and then becomes the command.
//
// A program that imports this package must not be started under the name Name for any other reason: the package looks at
// the name before main runs, and before most other packages are initialized.
//
// # Decisions
//
// 2026-11-26: the process restricts itself. Before, the thread that forked it was behind the wall too, and since the
// kernel lets those behind a wall trace each other, an agent could take over that thread, and with it this whole program
// (TestStart_trace of package wall). Rejected: a shell that waits until the thread has ended, which loses variables whose
// names are not those of a shell; and system calls of our own between fork and exec, for which the runtime has no
// supported way. The new start costs about 2 ms.
package door
