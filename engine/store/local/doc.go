// Package local has the files of a project on one machine: journals, logs, locks, caches and cached evidence, which are
// never tracked.
//
// # Rules
//
//   - Locks and journals are in git's common directory, outside of all worktrees: "git clean -fdx" does not remove them.
//     Every other folder has a `.gitignore` for itself, so `git status` never shows it.
//   - Reading creates nothing: a folder is made when something is first written there.
//   - Cached evidence (Evidence) is derived data: without it commands run again.
//
// # Decisions
//
// 2026-11-24: a package of its own, which package store embeds (Files). Before, these were methods of a type of the
// store, since callers open both together; but the store has outgrown a package, and nothing here needs one.
//
// 2026-11-22: locks and journals are in git's common directory, below "chant". A journal at its former path, in
// .chant/runs, is read until the next record moves it, and a lock in .chant/locks is respected. Rejected: .chant, as
// before, where "git clean -fdx" during a run removes them; and moving everything when a project is opened, since reading
// must not write.
package local
