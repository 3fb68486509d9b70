// Package advice decides why a spec has its present state, and what to do next.
//
// This is decided nowhere else. Status, diagnose, show, the board, the summary of many runs and the hints of errors all
// use its answer, so they name the same step. It decides by the spec, its journal, the graph and the kind of a reason,
// never by the wording of a reason. It changes nothing and takes no lock, except in WithHold, which adds the next
// step to the errors of operations under that lock.
//
// # Rules
//
//   - Whether an agent waits for a person follows from the step in the journal and the end of the log (runstate.go).
//   - For a spec that lacks approval, the next step is the decision that a person has to make, not a command that would
//     fail.
//
// # Decisions
//
// 2026-11-20: whether an agent waits for a person is derived by the reader. Rejected: a note written by the run's
// process, which would record that a question was asked, but not that it was answered since.
//
// 2026-11-20: limits.silence ends an agent, limits.waiting only marks it as waiting. Rejected: using limits.silence for
// both, which would no longer end a run for which a person has set that limit.
//
// 2026-11-23: this is a package of its own below the operations. Rejected: a file of view, as first drawn, because
// work, queue and author name the next step in their errors, and view imports work.
//
// 2026-11-29: the next step for a branch that chant did not start is to adopt it. Rejected: that a person merges it under
// another name and then runs the criteria, as before, which lands work before it is judged and leaves the person to compare
// criteria, other specs and protected files.
package advice
