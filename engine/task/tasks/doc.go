// Package tasks contains the operations on specs as tasks: creating, reading, listing and changing them, one or many in
// one commit, and the settings of their projects.
//
// A task is a spec, and there is no second store. What is shown is computed by engine/spec/task, and what a value means is
// defined by the settings that engine/format/lotar reads.
//
// # Rules
//
//   - A call checks everything before it writes anything. A call about several tasks reports each that failed and
//     changes the others in one commit; only the copies of specs that have a run are committed on their own branches.
//   - A status changes by the shortest legal path of events (path), all in one commit. Completing a task runs its
//     criteria, as finalize does; nothing here goes around a gate.
//   - Errors wrap a *task.Fault where clients of lotar expect a code and a text of their own.
//
// # Decisions
//
// 2026-11-23: replay is not part of any path. A completed task that is set to an earlier status is flagged and reset.
// Rejected: replay, because it starts a further attempt and changes what counts as landed.
//
// 2026-11-23: blocks is the inverse of depends_on: setting it writes depends_on into the other spec, and is shown as far
// as this holds. Rejected: storing it one-sided, as lotar does, since work would start what is blocked.
package tasks
