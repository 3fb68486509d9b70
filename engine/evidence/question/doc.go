// Package question keeps the questions that agents ask people, and the answers, on this machine.
//
// Each spec has a file of JSON lines in git's common folder, to which lines are added: a question was asked, answered,
// withdrawn, or its answer has reached an agent. Work that belongs to no spec has a file by its branch, or by its
// folder. The package never changes the status of a spec.
//
// # Rules
//
//   - A question is open until it is answered or withdrawn, and closes once. The end of a run does not close it.
//   - An answer is kept until an agent has received it, by a tool or in a prompt.
//   - Several processes write: each change is decided and written under one lock. Readers take no lock.
//   - A line that a crash cut short is skipped, as is every line that is not a record.
//   - Sizes are limited: of a question and an answer (MaxText), and of how many of a file are open (MaxOpen).
//
// # Decisions
//
// 2026-11-26: questions have files of their own. Rejected: the journal of a run, which only the process of that run
// writes, and which reports writing by others as interference; and the spec file, where a question of an agent would be
// a commit of its branch, and an answer a change of what was approved.
//
// 2026-11-26: the file shrinks when a question is asked and it has more than maxKept: the oldest closed ones go, unless
// their answer waits for an agent. Rejected: keeping all, which makes each reading of a file slower forever.
//
// 2026-11-26: changes are noticed by the system's notifications for the folder, and by looking every few seconds where
// none arrive, as for specs. Rejected: only looking, since a person and an agent both wait for the other.
package question
