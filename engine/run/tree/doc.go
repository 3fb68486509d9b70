// Package tree creates, fills and removes the worktrees of runs: set-up commands, copies and links of ignored files, ports,
// and what is kept of a worktree before it is removed.
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
// 2026-11-20: commits that are only in a submodule of the worktree stop the run, reset and cleanup until a person has
// pushed or discarded them. Rejected: fetching them into home's copy of the submodule, since the commit that lands
// would name commits that others cannot fetch; and setting the worktree aside, since git keeps the submodule's objects
// with the registration.
//
// 2026-11-28: every run and every check gets a new worktree, which is removed at the end. Rejected: handing on that of a
// landed run, made as if it was new. Whatever an agent can leave in a worktree or in its git folder has to be thought of
// then, and with 10,000 files a run took 2.0 s with it and 1.8 s without, of processor time 2.3 s and 1.9 s.
package tree
