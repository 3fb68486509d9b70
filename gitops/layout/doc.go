// Package layout finds a git repository on disk and describes it: where its folders are, which of
// its worktrees a folder is, how it is stored, and which names git allows in it.
//
// It never runs git and never writes a file. Full says whether the file system of a folder has no space left, which programs
// do not always report: git then names a lock that could not be written.
//
// # Rules
//
//   - A folder is a worktree of a repository only if its ".git" leads there. A command meant for a
//     linked worktree runs only after Site.Place proved that.
//   - Every process finds the same home for a repository, wherever it was started.
//   - A pipe in the place of one of git's files is an error: reading it would block for ever.
//
// # Decisions
//
// 2026-11-28: what is below .chant/worktrees belongs to the repository around it, whatever is found there. Rejected: looking
// for ".git" there as elsewhere: an agent can put a repository of its own in its place, and chant, started there by a person,
// would take its settings, and start the programs that they name. Worktrees of runs in another folder (worktree.dir) are not
// known by their paths.
//
// 2026-11-27: git's small files are opened without waiting, and looked at afterwards. Rejected: os.ReadFile after os.Stat,
// which waits for ever if the file is replaced by a pipe between the two.
package layout
