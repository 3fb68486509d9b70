// Package judge runs the criteria of a spec: on its branch, on the merged tree before it lands, or in the caller's own
// tree.
//
// # Rules
//
//   - The criteria are those of the start commit, and so is the schema of the agent's output.
//   - Evidence is kept as a git note on the complete commit, and on the merge commit before the target moves. At a
//     landing it counts if this machine's key has signed it; without a key it counts only in the process that found it.
//
// # Decisions
//
// 2026-11-20: criteria run in a clean worktree of what is committed, during a run and at any time later. Rejected: the
// run's worktree, as before, in which ignored and untracked files can make them hold.
package judge
