// Package work takes one spec from ready to landed, and contains every operation that ends or changes a run: Work,
// Merge, MergeMany, Finalize, Pause, Reset, Cancel, CancelGroup, Takeover, Cleanup, and what people order in the
// queue before a target (queueorder.go).
//
// # Words for taking up work again
//
//   - resume (resume.go): chant does it without being asked, in Work and in recovery, for an attempt whose process was
//     killed or stopped. The same attempt resumes after its agent, at collect or at its landing; no agent starts.
//   - continue (continue.go): a person asks for it with work --continue, for a run that is paused or lost its process.
//     The run resumes if it can; otherwise a new attempt resumes the conversation of the last agent.
//   - retry (retry.go): chant does it once the rate limit of an agent is over, for a run that is paused with a
//     retry_state. A new attempt starts on the same branch.
//   - recover (recover.go): a watch does it, for every run whose process died. The run resumes if it can; otherwise it
//     is paused with everything its agent left behind, or undone if no agent had started. With --work, a new attempt
//     starts instead.
//   - replay (replay.go): a person asks for it with work --replay, for a spec that was completed and has landed. The
//     spec is worked again, in a new run on a branch of its own.
//
// # Rules
//
//   - A spec that fails its criteria in Finalize keeps its status. Only a run that ends without passing sets it to
//     failed.
//   - Inside its own run, Finalize only reports whether the spec would complete; every other change of the spec is
//     refused.
//   - Which agent works on a spec is decided by the spec as it was when its run began, and by what a person has changed
//     since, never by the agent's copy.
//
// # Decisions
//
// 2026-11-30: MergeMany has up to eight branches in the queue before the target at the same time, so that their criteria run side
// by side. What others depend on lands before any of those begins. With --rebase and --auto it takes one after another, since
// each is brought up to date with what has landed. Those that are in the queue when another does not land go on: rejected was
// to stop them, which loses their checks, and ends git while it writes a person's files.
//
// 2026-11-20: an agent resumes a conversation only when a person gives --continue. Rejected: always doing so, which
// takes an agent that failed back to where it went wrong.
//
// 2026-11-20: Reset and Cancel drop a completed run that has not landed like any other run; a ref keeps its work.
// Rejected: leaving git as the only way out.
//
// 2026-11-20: a run whose agent met a rate limit is paused, with the time of its next attempt in retry_state on its
// branch: it can resume, everyone sees when, and a crash loses nothing. Rejected: the status failed, which is wrong and
// would block dependents for good; and a new status, which no other tool would know.
//
// 2026-11-20: a run whose work waits for approval has ended well, with exit code 0. Rejected: a failure, which would
// stop a chain although nothing is wrong with the work.
//
// 2026-11-20: finalize --accept-changes does not accept an approval that was written on the branch; the complete commit
// restores the approval that a person gave. Rejected: accepting it with the other changes, which would let an agent
// approve its own work.
//
// 2026-11-20: a landing on the machine whose journal knows the run accepts only an approval that this journal records.
// Rejected: the front matter alone, which everyone with access to the branch can write. On other machines there is no
// journal, and the front matter counts.
//
// 2026-11-20: --skip-approval waives an approval of the spec that is missing or outdated, but neither a rejection nor
// an approval of the work. Rejected: waiving all of them, as before.
//
// 2026-11-20: a replay is a run like any other, on a branch of its own, and lands the same key each time. It starts
// only when a person asks for it by name, never because a status was set. Where git ignores .chant it is refused,
// because the file in home is the only copy. Rejected: reopening the landed file.
//
// 2026-11-20: a spec that has not drifted is replayed too, with a warning. Rejected: a flag to insist with.
//
// 2026-11-29: merge --adopt makes a branch that chant did not start that of a run, as if another machine had pushed it, and
// completes and lands it by the same checks. This reverses the decision that such a branch is landed by a person's own merge
// alone. Nothing that the branch says of itself is believed: the target's copy of the spec has the criteria that count, and an
// adopted branch that does not pass stays a run. Rejected: to adopt unasked, since chant cannot know whose work it is; to copy
// the branch under the name of the run's and keep the old one, which then looks like work that has not landed; and to remove
// the worktree of another program, which may have what is committed nowhere.
//
// 2026-11-29: cancel --delete refuses a spec that is completed or that others need, unless a person says --skip-checks, and
// always one whose text no commit has. Its run is dropped like any other, so that a ref keeps the work. Rejected: asking on a terminal, which a
// script answers by habit.
//
// 2026-11-20: one pure function decides what Cleanup does about a run, given what is left of it (cleanupdecide.go). A
// branch with the name of a run's branch belongs to chant if a journal, a spec or its start commit shows that.
// Rejected: the name alone, which a person may have chosen; and "git worktree prune", which forgets a person's own
// worktrees.
package work
