// Package judge runs the criteria of a spec: on its branch, on the merged tree before it lands, or in the caller's own
// tree.
//
// # Rules
//
//   - The criteria are those of the start commit, and so is the schema of the agent's output.
//   - Evidence is kept as a git note on the complete commit, and on the merge commit before the target moves. At a
//     landing it counts if this machine's key has signed it; without a key it counts only in the process that found it.
//   - What fails on the branch runs once more where the work began, behind the same wall, for at most two minutes, or its
//     kept result counts. That decides nothing: it only says whether the agent is to blame, and what can help.
//
// # Decisions
//
// 2026-11-29: a failure is the same as that without the work if its exit code is and most lines of its output are, apart from
// numbers and paths, or if its command is the project's. Rejected: the exit code alone, since a criterion that asks for
// something new fails before the work, too; and the same output, in which times differ.
//
// 2026-11-20: criteria run in a clean worktree of what is committed, during a run and at any time later. Rejected: the
// run's worktree, as before, in which ignored and untracked files can make them hold.
package judge
