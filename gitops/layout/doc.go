// Package layout finds a git repository on disk and describes it: where its folders are, which of
// its worktrees a folder is, how it is stored, and which names git allows in it.
//
// It never runs git and never writes a file.
//
// # Rules
//
//   - A folder is a worktree of a repository only if its ".git" leads there. A command meant for a
//     linked worktree runs only after Site.Place proved that.
//   - Every process finds the same home for a repository, wherever it was started.
//   - A pipe in the place of one of git's files is an error: opening it would block for ever.
package layout
