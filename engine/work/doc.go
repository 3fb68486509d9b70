// Package work carries one spec from ready to landed, and everything that ends or changes a run: Work, Merge, Finalize,
// Pause, Reset, Cancel, Takeover, replay, recovery after a crash, and Cleanup.
//
// # Rules
//
//   - Finalize leaves a spec that does not pass as it was. Only a run that ends without passing has failed.
//   - Inside its own run, Finalize is a question; whatever else would change the spec is refused.
//   - Who works on a spec is as it was when the work began, or as a person has changed it since.
//
// # Decisions
//
// 2026-11-20: an agent resumes a conversation only when a person gives --continue. Rejected: always doing so, which takes
// an agent that failed back to where it went wrong.
//
// 2026-11-20: a completed run that has not landed is dropped by Reset and Cancel like any other; its work is kept by a
// ref. Rejected: leaving git as the only way out.
//
// 2026-11-20: a run whose agent met a rate limit is paused, with the time of its next attempt in retry_state on its
// branch: it can resume, everyone sees when, and a crash loses nothing. Rejected: failed, which it is not and which would
// block dependents for good; and a status of its own, which no other tool would know.
//
// 2026-11-20: a run whose work waits for approval has ended well, with exit code 0. Rejected: a failure, which would stop a
// chain over work that nothing is wrong with.
//
// 2026-11-20: finalize --accept-changes accepts no approval that was written on the branch; the complete commit restores
// the one that was given. Rejected: accepting it with the rest, by which an agent's own word would pass for its person's.
//
// 2026-11-20: a landing on the machine whose journal knows the run takes only the approval that this journal knows.
// Rejected: the front matter alone, which anyone who writes to the branch can write. Elsewhere there is no journal, and it
// counts.
//
// 2026-11-20: --skip-approval waives what was not given or is outdated, and no rejection and no approval of work. Rejected:
// waiving all, as before.
//
// 2026-11-20: a replay is a run like any other, on a branch of its own, and lands the same key as often as it is done. What
// it replays is asked for by name: a status that someone sets never begins one. Where git ignores .chant it is refused,
// since home's file is all there is. Rejected: reopening the landed file.
//
// 2026-11-20: a spec that has not drifted is replayed too, and that is reported. Rejected: a flag to insist with.
//
// 2026-11-20: what Cleanup does about a run is decided by one pure function over what there is of it (leftover.go). A branch
// called like a run's is one if a journal, a spec or its start commit says so. Rejected: the name alone, which may be
// anyone's; and "git worktree prune", which forgets worktrees of the person's own.
package work
