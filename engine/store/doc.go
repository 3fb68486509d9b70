// Package store keeps the `.chant` folder: where each file lies, how a document
// is read and written, and which version of a spec speaks.
//
// It never decides what happens to a spec: the machine in engine/spec does, and
// callers choose the event. Transition (transition.go) is the one road on which
// that decision becomes bytes and a commit.
//
// # Rules
//
//   - Home is the main worktree. From a linked worktree everything is home's,
//     but for the one spec that this worktree is the run of.
//   - While a run's branch exists, the spec on its tip speaks; otherwise the file
//     in home does, unless home has something else than the target checked out and
//     the target has the spec as completed: then the target does. A spec completed on a
//     branch has landed when the tip of the target has it as completed too, as often
//     replayed, in its place or in the archive.
//   - Reading starts no process and reads only what was asked for.
//   - One unreadable file is a row of its own (Invalid) and never hides another.
//   - A write replaces exactly the bytes its caller has seen: it compares, writes
//     a temporary file inside the ignored folders, syncs and renames. A reader
//     never sees half a file.
//   - What a change makes beside a spec (Change.Adds) is in the same commit, or taken back.
//   - Kept evidence (Evidence) is derived: without it commands run again.
//   - Locks and journals lie in git's common directory, which no worktree has in it: "git clean
//     -fdx" removes neither. Every other folder of local state ignores itself by a `.gitignore`, so
//     it shows in no `git status`, whoever made the `.chant` folder.
//
// # Decisions
//
// 2026-11-23: what belongs to one machine (journals, logs, locks, caches) are methods of Locals, which Store embeds, since
// they need the two folders and nothing else of a store. Rejected: a package of their own, whose types the callers would
// see beside those of the store although they open both together.
//
// 2026-11-22: locks and journals are in git's common directory, below "chant". A journal in its
// former place, .chant/runs, is read until the next record moves it, and a lock in .chant/locks is
// respected. Rejected: .chant, as before, where "git clean -fdx" during a run removes them; and moving
// everything when a project is opened, since reading must not write.
//
// 2026-11-20: what is completed on the target counts as completed, whatever home
// has checked out. Rejected: home's file alone, with which everything that waits for
// a landed spec waits until someone merges the target into his branch, and a landed
// spec looks ready.
package store
