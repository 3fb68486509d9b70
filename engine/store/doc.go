// Package store reads and writes the `.chant` folder: where each file is, how a document
// is read and written, and which version of a spec is the current one.
//
// It never decides what happens to a spec: the state machine in engine/spec does, and
// callers choose the event. Only Transition (transition.go) turns that decision into
// bytes and a commit.
//
// # Rules
//
//   - Home is the main worktree. In a linked worktree all files are those of home,
//     except the spec of which that worktree is the run's.
//   - The current version of a spec is the first of these that exists: the one on the tip of its run's branch; the
//     target's, if the spec is completed there and home has another branch checked out; the file in home.
//   - A spec that is completed on its branch has landed if the tip of the target has it as completed too, with as many
//     replays, in its place or in the archive.
//   - Reading starts no process and reads only what is requested.
//   - An unreadable file is reported by itself (Invalid) and never hides another.
//   - A write replaces exactly the bytes that its caller has read: it compares, writes
//     a temporary file inside the ignored folders, syncs and renames. A reader
//     never sees half a file.
//   - Specs that a change adds (Change.Adds) are in the same commit, or removed again.
//   - Cached evidence (Evidence) is derived data: without it commands run again.
//   - Locks and journals are in git's common directory, outside of all worktrees: "git clean
//     -fdx" does not remove them. Every other folder of local state has a `.gitignore` for itself, so
//     `git status` never shows it.
//
// # Decisions
//
// 2026-11-23: files of one machine (journals, logs, locks, caches) are methods of Locals, which Store embeds, since
// they need the two folders and nothing else of a store. Rejected: a package of their own, whose types callers would
// use in addition to those of the store, although they open both together.
//
// 2026-11-22: locks and journals are in git's common directory, below "chant". A journal at its
// former path, in .chant/runs, is read until the next record moves it, and a lock in .chant/locks is
// respected. Rejected: .chant, as before, where "git clean -fdx" during a run removes them; and moving
// everything when a project is opened, since reading must not write.
//
// 2026-11-20: a spec that is completed on the target counts as completed, whatever branch home
// has checked out. Rejected: home's file alone, with which specs that depend on a landed
// spec wait until a person merges the target into the branch of home, and a landed
// spec seems ready to start.
package store
