// Package merging merges: two commits without a working tree, three versions of one file, a commit
// into a worktree, a branch onto another one, and a branch forward to a commit.
//
// It never lets a setting of the user choose how to merge, and never overwrites local changes;
// Abort alone loses what was changed since a merge began.
//
// # Rules
//
//   - Conflicts are data. A *ConflictError says that nothing was changed.
//   - A fast-forward brings index and files first and the ref second; PutBack undoes the half that
//     a killed process has done.
package merging
