// Package gitindex reads the index of a worktree and lets single entries of it follow a commit.
//
// It never writes an index except through git, and never changes an entry of a path that was not
// committed.
//
// # Rules
//
//   - The entries of a commit are set before its ref moves. Killed at any moment, a commit leaves
//     its own change staged, never its reversal.
//   - Where the format allows, an index is read without a process; a split, sparse, very large or
//     broken one is left to git.
//
// # Decisions
//
//   - 2026-11-20: after a commit, the index entry of a path is set to what the branch
//     holds then, and looked at again afterwards. Rejected: setting what this commit
//     wrote, which two commits of one path in quick succession leave behind.
//   - 2026-11-27: a command that reads files of a worktree is ended only if it takes long and there is a file that no git
//     reads in time. Rejected: looking at the sizes first, which takes as long as the command does in most projects.
package gitindex
