// Package worktrees lists, adds, moves, switches and removes the worktrees of a repository.
//
// It never removes a folder that is not registered as a worktree, and never switches the main
// worktree to another commit.
//
// # Rules
//
//   - Listing starts no process unless only git can answer (ErrAskGit); its answer is that of
//     "git worktree list".
//   - Adding and pruning take turns (lockfile.Turns): half of a worktree looks like none.
package worktrees
