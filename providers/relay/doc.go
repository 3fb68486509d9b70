// Package relay lets a process behind a wall have commands run outside of it: the client passes its arguments, its
// folder and its three streams through a socket, and the server runs the command with them and returns its exit code.
//
// It does not decide which commands may run, nor what they may do: the server's function does.
//
// # Rules
//
//   - A client proves who it is by the kernel: a process of the same user, which the server's function accepts, and which
//     lives when its command starts.
//   - A client that says nothing, or many of them, keep no other from being served for long.
//   - The command gets nothing of the client's environment but what describes its terminal.
//   - The command ends with its client, and all commands end with the server. Their processes are the server's.
//
// # Decisions
//
// 2026-11-28: the process that has connected is held by a pidfd, since its number can be used again while another process
// has its connection. Rejected: comparing start times, which are read after the connection was made.
//
// 2026-11-26: the streams are passed as file descriptors. Rejected: copying them through the socket, which needs a
// protocol for terminals, for closed inputs and for back pressure.
package relay
