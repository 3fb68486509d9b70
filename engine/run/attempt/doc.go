// Package attempt is what every part of a run shares: what was decided before the first step, such as the job and the
// settings, the journal and the log that record the attempt, the copy of the spec that counts, and where its branch began.
//
// It makes no worktree, starts no agent, and moves a branch only when a step asks for it.
//
// # Rules
//
//   - No step changes a field of Attempt. What changes meanwhile is in Journal, Log and Secrets, by their methods; what a
//     step finds is in the part of the run that finds it.
//   - A step is journaled before it begins and after it ends.
//   - The criteria that count are those of the start commit, or those that a person has vouched for since (Trusted).
//     What the agent's copy says never counts by itself.
//   - A journal that another process has written to meanwhile is reported as interference.
package attempt
