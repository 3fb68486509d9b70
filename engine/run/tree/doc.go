// Package tree creates, fills, hands on and removes the worktrees of runs: set-up commands, copies and links of ignored
// files, ports, the pool of spare worktrees, and what is kept of a worktree before it is removed.
//
// # Rules
//
//   - A worktree is removed only when nothing in it is uncommitted, or after that was kept under refs/chant/rescue/. A
//     worktree whose submodules have content that is nowhere else stays.
//   - What is in a worktree's place already is never overwritten.
//
// # Decisions
//
// 2026-11-22: a repository in an ignored folder is kept with its worktree if it has files or commits that are nowhere
// else. Rejected: keeping every repository, since package managers leave clones that can be created again; and looking
// for them before landing, since ignored files keep no work from landing.
//
// 2026-11-20: a run's ports are a range whose lock its process holds; a killed run keeps them until it is resumed or
// dropped. Rejected: deriving them from the id, which two runs can share; and asking whether they are free, which may
// change the next moment.
//
// 2026-11-20: a file named in .worktreeinclude that the run's branch does not ignore is left out, and more files or
// bytes than carry.go allows are refused. Rejected: copying such a file, since a secret would be committed with what
// the agent left; and copying only some of the files.
//
// 2026-11-20: a spare worktree gets its new files in its own place, under the lock of that place, and is moved to the
// run once git shows it clean, so that a kill at any moment leaves it whole or unused. Rejected: switching it at the
// run's place, where half of it looks like work. A worktree with a sparse checkout, submodules or flags in its index is
// not used again: git cannot clean what it cannot show.
//
// 2026-11-20: commits that are only in a submodule of the worktree stop the run, reset and cleanup until a person has
// pushed or discarded them. Rejected: fetching them into home's copy of the submodule, since the commit that lands
// would name commits that others cannot fetch; and setting the worktree aside, since git keeps the submodule's objects
// with the registration.
//
// 2026-11-20: in a spare worktree, ignored files are copied again, since the previous agent may have changed them;
// dependencies are kept. Rejected: keeping both.
//
// 2026-11-23: worktrees with many files are handed on unless the settings say otherwise, and as if they were new: git
// reads every file, with a new index, and ignored files go. Rejected: what worktree.recycle does when it is on, since
// one agent could leave dependencies, or an index that hides a change, for the next one; and handing on small
// worktrees, which takes longer than creating them.
package tree
