// Package advice decides why a spec is where it is, and what to do next.
//
// It is the only place that decides so. Status, diagnose, show, the board, the summary of many runs and the hints of
// errors all read its answer, so they name the same step. It decides from the spec, its journal, the graph and the kind
// of a reason, never from the wording of one. It changes nothing; WithHold alone takes a lock, so that an error of what
// runs under it names the next step.
//
// # Rules
//
//   - Whether an agent waits for a person follows from the step in the journal and the end of the log (runstate.go).
//   - What approval holds back is named by the person's next decision, not by a command that would fail.
//
// # Decisions
//
// 2026-11-20: whether an agent waits for a person is derived by the reader. Rejected: a note written by the run's
// process, which records that a question was asked and not that an answer came since.
//
// 2026-11-20: limits.silence ends an agent, limits.waiting only shows it. Rejected: giving silence the second meaning,
// with which a run that a person has bounded would no longer end.
//
// 2026-11-23: this is a package of its own below the operations. Rejected: a file of view, as first drawn: work, queue
// and author name the next step in their errors, and view imports work.
package advice
