// Package review records what people decide about a spec: Approve and Reject.
//
// # Rules
//
//   - Only a person whom git knows in this repository approves or rejects. An approval is for a text, or for the work
//     on a branch, as it was then. Only ApprovalBlock of engine/spec decides whether it still applies.
//
// # Decisions
//
// 2026-11-20: before a spec is completed, a decision is written into home's copy, also while an agent works, and the
// landing finds it there; once the spec is completed, it is written to the branch and is about the work there.
// Rejected: one place for both, with which a person could not stop a run without its lock, or would approve work
// without having seen it.
//
// 2026-11-20: approved work is identified by the paths that the branch changes and their content. Rejected: the commit,
// which a rebase on a target that moved replaces.
package review
