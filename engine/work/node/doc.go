// Package node has the operations on a fleet: several machines that work on one queue of specs. Up starts its hub, Join a
// worker; Status, Order, Retry and Down look at it and direct it from any machine. Pause, Takeover, Answer and BringLog do for
// a spec that another machine works on what the operations of the same names do for runs in a clone; a Dispatcher has the
// fleet work specs for a command that would otherwise work them itself. The hub's process also keeps in the user's clone what
// the fleet has elsewhere (mirror), so that people can look at it there without a network.
//
// engine/fleet has what the machines share, node/worker and node/leader what a node does.
//
// # Rules
//
//   - A clone takes part in a fleet once Up or Join has written its membership, or the settings name a server. Without
//     that nothing here is touched by any other operation: no connection, no file, no port.
//   - Keys are in the folder of chant's keys, which is hidden from agents. A membership has only their paths.
//   - What a node changes, it changes in a clone that chant has made for it. The hub's clone is the user's: nothing in its
//     checkout moves. A mirror changes remote-tracking refs, claims and logs there.
//   - A spec that has a run in this clone, or that no machine has claimed, is left to the operation for runs in a clone.
//   - A machine is asked by a command, which only the hub may send. What has become of it is read in its claim. Nothing waits
//     forever: a machine that does not answer is an error.
//   - A mirrored log is only appended to. What the file has is not written again, however often the fleet sends it, and a
//     process that works on the spec in this clone has the log to itself. It is what the machine logs that has the claim on
//     the spec, or that has completed what has landed; what others write about it is not even read. A copy has a largest size.
//   - One process mirrors the logs of a clone, and one the log of a spec. What another one mirrors is left to it.
//
// # Decisions
//
// 2026-11-26: lines that a log has are recognised by their content, which begins with a time in milliseconds. Rejected:
// a file beside the log with the place in the fleet's log, which does not describe the log any more once a run in this
// clone, or a crash between two writes, has changed one of the two.
//
// 2026-11-26: where a fleet opens pull requests, work returns with the address of the pull request, and the spec counts as
// completed and not landed, as with --no-merge. Rejected: waiting for the merge, which may take days and needs a person.
package node
