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
//
// # Decisions
//
// 2026-11-23: a new worktree is registered in process, and one git process writes its files. Rejected: "git worktree
// add" always, which starts two more and takes twice as long in a small repository; it is still used where it would run
// a hook, copy settings or a sparse checkout, or refuse a branch. And creating the registration elsewhere, to move it
// into place as a whole: a killed process would leave it there.
//
// 2026-11-23: a spare worktree becomes as if it was new by a comparison of all content with a new index. Rejected:
// trusting the old index, in which an agent can write that a changed file is unchanged. Where attributes or settings
// let git take different contents for equal (line ends, keywords, filters), the bytes are compared here, or the file is
// written again. Permissions and times become those of new files, and the git folder of the worktree is emptied: build
// tools compare times, and git does not look into ".git" and the folders of submodules. Rejected: refusing such
// repositories, since many have "* text=auto".
//
// 2026-11-23: a symbolic link is never moved, switched or removed as a worktree. Rejected: following it, since a
// command can let it lead to a worktree of a person.
package worktrees
