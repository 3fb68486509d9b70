// Package tree makes, fills, hands on and removes the worktrees of runs: set-up commands, copies and links of ignored
// files, ports, the pool of spare worktrees, and what is kept of a worktree before it goes.
//
// # Rules
//
//   - A worktree is removed only when nothing in it is uncommitted, or after that was kept under refs/chant/rescue/. One
//     whose submodules hold what nothing else has stays.
//   - What lay in a worktree's place is never overwritten.
//
// # Decisions
//
// 2026-11-22: a repository in an ignored folder is kept with its worktree if it has files or commits
// that nothing else has. Rejected: keeping every repository, since package managers leave clones that
// can be made again; and looking for them before landing, since ignored files keep no work from landing.
//
// 2026-11-20: a run's ports are a range whose lock its process holds; a killed run
// keeps them until it is taken up or dropped. Rejected: deriving them from the id,
// which two runs can share; and asking whether they are free, which says nothing of
// the next minute.
//
// 2026-11-20: a file named in .worktreeinclude that the run's branch does not ignore
// is left out, and more than can be meant is refused. Rejected: copying it all the
// same, with which a secret would be committed as the agent's leftovers; and copying
// a part.
//
// 2026-11-20: a spare worktree gets its new files where it stands, under the lock of
// that place, and moves to the run when git shows it clean: killed at any moment it is
// whole, or no one's. Rejected: switching it at the run's place, where half of it looks
// like work. One with a sparse checkout, submodules or flags in its index is not used
// again: what git cannot show it cannot clean.
//
// 2026-11-20: what is only in a submodule of the tree stops the run, reset and clean-up
// until its person has pushed or discarded it. Rejected: fetching it into home's store of
// the submodule, which makes a commit to land of what no one else can fetch; and setting
// the tree aside, for git keeps the submodule's objects with the registration.
//
// 2026-11-20: copies of ignored files are made anew in a spare worktree, dependencies
// are not: the first may have been changed by the agent before. Rejected: keeping both.
package tree
