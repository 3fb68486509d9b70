// Package engine holds the operations: everything that can be done to a project,
// each verb in a file of its name. Doors (the command line, the MCP server) call these and add
// nothing. It never prints, prompts, reads flags or exits.
//
// # The life of a spec
//
//	event     from                                              to
//	start     pending, paused, failed, needs_attention          in_progress
//	pause     in_progress                                       paused
//	complete  in_progress, paused, failed, needs_attention      completed
//	fail      in_progress, paused                               failed
//	flag      in_progress, paused, failed, completed            needs_attention
//	cancel    pending, in_progress, paused, failed,             cancelled
//	          needs_attention
//	reset     in_progress, paused, failed, needs_attention,     pending
//	          cancelled
//	replay    completed                                         in_progress
//
// # Laws
//
//   - Every operation takes an Input and gives a Result and an error; the only error
//     type is *Error. A failure leaves the repository as it was found, except that a
//     run that began keeps its branch and tree.
//   - Update weakens no criterion of a spec that was started, and no text that it
//     appends becomes one; a pending spec may be rewritten freely. Completed is
//     judged by the criteria as they stood before the call, and nothing is written
//     unless they hold.
//   - Finalize leaves a spec that does not pass as it was. Only a run that ends
//     without passing has failed.
//   - Inside its own run a spec is changed by Update and Check alone, in the run's
//     copy, and Finalize and completed are questions; whatever else would change it
//     is refused. The folder of a run that nobody is at work on is a place like any.
//   - What an agent may do inside a run is decided by insideRules alone. What it starts works for its run, see
//     runAbove: it adds specs and edits those of others; what becomes of them, hooks,
//     Approve and Reject are a person's.
//   - Who approves or rejects is somebody whom git knows here. What is approved is a text, or the work on a
//     branch, as it stood; ApprovalBlock of engine/spec alone says whether it still is.
//   - Who works at a spec, and what that may use, is as it was when the work began, or as
//     a person has changed it since. What agents use is held to the limits wherever they
//     start: at work, at conflicts, with questions.
//   - Whoever changes a spec or its run holds the run's lock first, and by taking it
//     ends what a killed process has left alive.
//   - Listing, showing, searching and linting start no process, but that git is asked
//     once what is staged. Diagnose and the list of worktrees ask git; Verify runs what
//     the criteria say; CheckConfig alone asks servers whether they are there.
//   - Clock, randomness, environment and progress come in through Options.
//   - Whoever works many specs takes each as if it were the only one: its own lock,
//     its own run. What another process has is passed over, and is no failure.
//
// # Rooms
//
// engine/spec has the pure laws, engine/store the `.chant` folder and the one road
// by which a status changes, engine/verify the criteria, engine/run one run's life,
// engine/schedule which of many runs starts next, engine/lint what is wrong with a spec,
// engine/schema the form of an agent's output, engine/prompt what agents are told,
// engine/split how a spec is taken apart, engine/price what tokens cost, engine/shape
// whether settings fit what reads them, engine/report what CI systems and spreadsheets
// read (for doors alone), engine/agents what agent CLIs read from a repository,
// engine/hooks what stands in git hooks, engine/ci what a CI system tells of its job.
// None of them knows a door, and none imports one above it.
//
// # Decisions
//
// 2026-11-20: the road by which a status changes stands in engine/store, below
// engine/run, which takes it too. Refused: handing it down as a function.
//
// 2026-11-20: operations may look at files (os) where no document is written:
// settings, logs, folders to clean up. Documents are written by engine/store alone.
//
// 2026-11-20: what agents have used is added up from the journals whenever a limit asks.
// Refused: a counter beside them, which several processes write and a killed one leaves
// wrong.
//
// 2026-11-20: an agent goes on with a conversation only when a person says --continue.
// Refused: always doing so, which takes an agent that failed back to where it went astray.
//
// 2026-11-20: replies of lists, findings and logs are bounded, and what is left out
// is counted or can be read on. Refused: telling all, which no agent's memory holds.
//
// 2026-11-20: findings and dependencies are bounded to 100 for --json and tools alike,
// and people's text has all. Refused: a bound in the tool alone, which would make its
// result another than the command's.
//
// 2026-11-20: a completed run that has not landed is dropped by Reset and Cancel like
// any other; its work is kept by a ref. Refused: leaving git as the only way out.
//
// 2026-11-20: a run whose agent met a rate limit is paused, with the time of its next
// attempt in retry_state on its branch: it can go on, everybody sees when, and a crash
// loses nothing. Refused: failed, which it is not and which would block dependents
// for good; and a status of its own, which no other tool would know.
//
// 2026-11-20: many specs that are named run one at a time unless a width is given,
// and only --chain stops at a failure. Refused: an error that asks for one of the two,
// as the older chant has it, since what was meant is plain.
//
// 2026-11-20: whether an agent waits for somebody is derived by the reader, from the
// step in the journal and the end of the log (glance.go). Refused: a note of the
// run's process, which tells that something was asked and not that nothing came since.
//
// 2026-11-20: limits.silence goes on to end an agent, limits.waiting only shows it.
// Refused: giving silence the second meaning, with which a run that somebody has
// bounded would no longer end.
//
// 2026-11-20: a run is asked to stop by a file that names its process, which looks
// for it (stopping.go). Refused: a signal, which stops every run of that process and
// which Windows cannot send to one.
//
// 2026-11-20: before there is work, a decision is written into home's copy, also while an
// agent works, and the landing finds it; once the spec is completed it goes to the branch
// and is about the work there. Refused: one place for both, with which a person could not
// stop a run without its lock, or would approve work that he has not seen.
//
// 2026-11-20: approved work is named by the paths that the branch changes and their
// content. Refused: the commit, which a replay on a target that went elsewhere renews.
//
// 2026-11-20: a run whose work waits for approval has ended well, with exit code 0.
// Refused: a failure, which would stop a chain over work that nothing is wrong with.
//
// 2026-11-20: finalize --accept-changes accepts no approval that was written on the
// branch; the complete commit puts back the one that was given. Refused: accepting it
// with the rest, by which an agent's own word would pass for its person's.
//
// 2026-11-20: a landing on the machine whose journal tells of the run takes only the
// approval that this journal knows of. Refused: the front matter alone, which whoever
// writes to the branch can write. Elsewhere there is no journal, and it counts.
//
// 2026-11-20: Derive fills in what is missing and never renews. Refused: renewing what
// derived_fields names, for a person may have put it right by hand.
//
// 2026-11-20: --skip-approval waives what was not given or is outdated, and no rejection
// and no approval of work. Refused: waiving all, as before.
//
// 2026-11-20: drift is told from digests of git's trees, kept at completion, and from the
// tree of the landing. Refused: times of files, which a clone makes anew; digests of
// working files, which another line ending changes; and the commit nearest to
// completed_at, since clocks and merges lie.
//
// 2026-11-20: a replay is a run like any other, on a branch of its own, and lands the
// same key as often as it is done. What it replays is asked for by name: a status that
// somebody sets never begins one. Where git ignores .chant it is refused, since home's
// file is all there is. Refused: reopening the landed file.
//
// 2026-11-20: a spec that has not drifted is replayed too, and that is said. Refused: a
// flag to insist with.
//
// 2026-11-20: what Cleanup does about a run is decided by one pure function over what
// there is of it (remains.go). A branch called like a run's is one if a journal, a
// spec or its start commit says so. Refused: the name alone, which is anybody's; and
// "git worktree prune", which forgets worktrees of the person's own.
package engine
