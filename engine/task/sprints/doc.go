// Package sprints has the operations on sprints: list, get, create, update, start, close, add, remove, delete, backlog,
// summary, burndown and velocity. The command line and the tools of lotar's clients call the same functions.
//
// # Rules
//
//   - Which tasks a sprint has is recorded in the specs alone (key sprints). An archived spec stays in its sprints.
//   - An operation that writes makes one commit, and validates everything before it writes anything.
//   - The id of a sprint is never used again, also if its sprint was deleted: neither by this clone, which counts in
//     git's common directory, nor by others, which see it in the commits.
//   - A file of a sprint that cannot be read is an entry of the list with a warning; other operations on it fail.
//   - Errors wrap a *task.Fault with the code and the text that clients of lotar know.
//
// # Decisions
//
// 2026-11-23: deleting a sprint leaves its id in the specs unless cleanup_missing is set, and the list reports it as
// missing. Rejected: to remove it always, because one wrong call would change hundreds of specs.
//
// 2026-11-23: done means completed. Rejected: lotar's last status of the settings, which may be "Cancelled".
//
// 2026-11-23: the backlog leaves out what is completed or cancelled, unless statuses are named. Rejected: lotar's list of
// everything, of which most entries need no planning.
package sprints
