// Package undo takes back the last decision of a person about specs: what was approved, rejected, commented, merged,
// reset, cancelled, archived, added, edited or deleted, as long as nothing depends on it.
//
// # Rules
//
//   - History is never rewritten: undoing is a new commit, with the trailer Chant-Undoes.
//   - A decision is undone only while everything is as it left it: files, refs, and the runs of its specs. Otherwise it
//     is refused with the reason and what a person can do by hand. Edits that are not committed stop it and stay.
//   - An undo is not a decision itself, so the next one takes back the decision before.
//   - Refs and journals are written first, what everyone sees last. A process that is killed in between leaves the
//     decision as it was, or one that the next undo finishes.
//
// # Decisions
//
// 2026-11-26: decisions are found in the commits themselves: on the branch that is checked out and the target, along
// first parents, and at the tips of the branches of runs; a reset, which may need no commit, in the journals of runs
// with a rescue ref. Rejected: a log of our own, which a clone would not have and which the commits could contradict.
//
// 2026-11-26: a merge is undone by a commit on the target that brings back what the merge has changed, and the branch
// is made again on top of it, commit by commit. Rejected: restoring the old branch, which the target contains, so that
// it could never land again; and rewinding the target, which others may have.
//
// 2026-11-26: answers and pauses are not undone: the agent may have read the answer, and work continues a paused run.
package undo
