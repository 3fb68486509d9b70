// Package judge runs the criteria of a spec: on its branch, on the merged tree before it lands, or where the caller is.
//
// # Rules
//
//   - The criteria are those of the start commit; the form of an agent's output is too.
//   - Evidence counts only in the process that found it. It is kept as a git note on the complete commit, and on the merge
//     commit before the target moves.
//
// # Decisions
//
// 2026-11-20: criteria run in a clean worktree of what is committed, for a run as for
// everybody later. Rejected: the run's tree, as before, in which files that git ignores or
// does not know can make them hold.
package judge
