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
// 2026-12-01: what is kept has a number of its format, which is written only once it is above 1 (CheckFormat). Rejected: a number in
// each file, since journals and locks are read one by one, and a newer chant that has changed one of them has changed what they mean
// together; and the version of the program, since most versions change no format. The index is not part of it: it has a version of its
// own, and another one is made anew.
//
// 2026-11-24: a package of its own, which package store embeds (Files). Before, these were methods of a type of the
// store, since callers open both together; but the store has outgrown a package, and nothing here needs one.
//
// 2026-11-22: locks and journals are in git's common directory, below "chant". A journal at its former path, in
// .chant/runs, is read until the next record moves it, and a lock in .chant/locks is respected. Rejected: .chant, as
// before, where "git clean -fdx" during a run removes them; and moving everything when a project is opened, since reading
// must not write.
package local
