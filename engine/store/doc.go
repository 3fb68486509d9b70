// Package store reads and writes the `.chant` folder: where each file is, how a document
// is read and written, and which version of a spec is the current one.
//
// It never decides what happens to a spec: the state machine in engine/spec does, and
// callers choose the event. Only Transition (transition.go) turns that decision into
// bytes and a commit.
//
// # Rules
//
//   - Home is the main worktree, or the folder of the project in it. In a linked worktree all files are those of home,
//     except the spec of which that worktree is the run's.
//   - The current version of a spec is the first of these that exists: the one on the tip of its run's branch; the
//     target's, if the spec is completed there and home has another branch checked out; the file in home.
//   - A spec that is completed on its branch has landed if the tip of the target has it as completed too, with as many
//     replays, in its place or in the archive.
//   - Reading starts no process and reads only what is requested. Queries (Load, LoadAround, IDs) take what they need from
//     rows of the index where the files have not changed, and answer as if they had read the files.
//   - What decides whether work may land, and what checks specs, reads the files and commits themselves (Get, LoadFiles,
//     FindAt), never rows: an agent could write to the index.
//   - An unreadable file is reported by itself (Invalid) and never hides another.
//   - A write replaces exactly the bytes that its caller has read: it compares, writes
//     a temporary file inside the ignored folders, syncs and renames. A reader
//     never sees half a file, but for a change that is taken back on a full disk (takeBack).
//   - The index keeps no facts about a spec with the key `source`: they depend on a folder, which each query reads.
//   - Specs that a change adds (Change.Adds) are in the same commit, or removed again.
//
// # Decisions
//
// 2026-11-30: where a disk is so full that a change cannot be taken back with a second file, the old text is written over the
// longer new one. Rejected: to leave the new text without its commit, which the next commit of an agent would contain.
//
// 2026-11-29: a project is the nearest `.chant` upwards, and one below the top of its repository is read and written through a
// gitops.Repo that is seen from its folder, so that every path of a project begins there. Its runs have a worktree of the whole
// repository, in which agents and criteria start in its folder. Branches, journals, locks and the index are named by the folder
// (local.ProjectKey). Rejected: a worktree of the folder alone (a sparse one), since builds of a monorepo need the rest; and ids
// that are unique in the repository, since each project numbers its own.
//
// 2026-11-23: a question about a few specs (LoadAround, LoadFirst) reads only those that its answer depends on, and compares a
// digest of the stamps of all files: any other file may have become a driver that names one of them as its member. If a
// file has changed, or was written too recently for its stamp to count, all rows are read. Rejected: to rely on the
// last query about all specs, which makes `show` call a blocked spec ready until then. Until 2026-11-29 that was done
// for more than 20,000 files, to save the 100 ms that checking the stamps of 100,000 takes.
//
// 2026-11-23: an archived copy of an active spec does not count; the package archive has the same rule. Before, what
// depended on the spec did not wait for the active one.
//
// 2026-11-23: packages that derive something of their own from files get a Query: the list of current versions, their
// texts, and one generation of the index. Rejected: a method of the store for each of its parts, which callers would
// have to combine in the right order, and over several generations.
//
// 2026-11-20: a spec that is completed on the target counts as completed, whatever branch home
// has checked out. Rejected: home's file alone, with which specs that depend on a landed
// spec wait until a person merges the target into the branch of home, and a landed
// spec seems ready to start.
package store
