// Package worktrees lists, adds and removes the worktrees of a repository.
//
// It never removes a folder that is not registered as a worktree.
//
// # Rules
//
//   - Listing starts no process unless only git can answer (ErrAskGit); its answer is that of
//     "git worktree list".
//   - Adding and pruning take turns (lockfile.Turns): half of a worktree looks like none.
//
// # Decisions
//
// 2026-11-23: a new worktree is registered in process, and one git process writes its files. Rejected: "git worktree add"
// always, which reads what agents can write of all other worktrees: with a pipe in the place of "gitdir" or HEAD in the git
// folder of one, git 2.39.5 waits for ever (2026-11-29). It is still used where it would run a hook, copy settings or a
// sparse checkout, or refuse a branch. And creating the registration elsewhere, to move it into place as a whole: a killed
// process would leave it there.
//
// 2026-11-23: a symbolic link is never removed as a worktree. Rejected: following it, since a command can let it lead to a
// worktree of a person.
//
// 2026-11-28: no worktree is used again for another branch or commit. Rejected: making a used one as if it was new, by
// comparing every file and its attributes, modes and times with the commit, which has to think of whatever an agent can
// leave in a worktree and in its git folder, and takes longer than writing new files.
package worktrees
