// Package mirror keeps in a clone what a fleet has elsewhere, so that people can look at it there without a network: the
// claims and branches of the remote, the logs of the specs that machines work on, and how the fleet is.
//
// # Rules
//
//   - No branch and no file of the checkout moves: only remote-tracking refs, claims and logs change.
//   - A log is only appended to. What the file has is not written again, however often the fleet sends it, and a process
//     that works on the spec in this clone has the log to itself.
//   - The log of a spec is what the machine logs that has the claim on it, or that has completed what has landed. What other
//     machines write about the spec is not even read. A copy has a largest size.
//   - One process mirrors the logs of a clone, and one the log of a spec. What another one mirrors is left to it.
//
// # Decisions
//
// 2026-11-26: lines that the file has are recognised by their content, which begins with a time in milliseconds. Rejected:
// a file beside the log with the place in the fleet's log, which does not describe the log any more once a run in this
// clone, or a crash between two writes, has changed one of the two.
package mirror
