// Package review records what people decide about a spec: Approve and Reject.
//
// # Rules
//
//   - Only a person whom git knows here approves or rejects. What is approved is a text, or the work on a branch, as it
//     was then; ApprovalBlock of engine/spec alone says whether it still is.
//
// # Decisions
//
// 2026-11-20: before there is work, a decision is written into home's copy, also while an agent works, and the landing
// finds it; once the spec is completed it goes to the branch and is about the work there. Rejected: one place for both,
// with which a person could not stop a run without its lock, or would approve work that he has not seen.
//
// 2026-11-20: approved work is named by the paths that the branch changes and their content. Rejected: the commit, which a
// replay on a target that moved renews.
package review
