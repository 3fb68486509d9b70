// Package adopted reads the folder that a spec adopts by its key `source`: a feature of spec-kit or Kiro, or a change of OpenSpec.
// The folder stays where it is, its tools keep working on it, and nothing of its text is copied into the spec.
//
// It also writes a plan as such a folder, which a spec for each part of the plan can adopt then.
//
// It is pure: callers give it a worktree or a commit as an [fs.FS] rooted at the top of the repository, and write what it
// returns.
//
// # Rules
//
//   - The criteria of a spec that adopts a folder are those of its own file, then the tasks of tasks.md, the items of
//     checklists, the scenarios and the success criteria of the folder, in this order; of Kiro, the tasks and the
//     criteria of the requirements.
//   - Tasks and items of checklists have their boxes in their files. The others have none: the key `met` of the spec names
//     those that hold.
//   - Kiro's optional tasks ("- [ ]* 2.3") are no criteria: its user decides about them.
//   - No criterion of a folder is checked by a command, whatever it ends in: its text was written for another tool. Commands
//     belong into the spec's own criteria or `verify`.
//   - The id of a criterion is a hash of its file, as seen from the folder, and its text. Rewording a criterion makes
//     another one.
//   - `part` limits a spec to some of the criteria: ids of tasks and criteria, stories ("US1": its tasks and scenarios),
//     requirements of Kiro ("R1"), and "checklists", "scenarios", "success criteria" and "requirements" for all of a kind. An entry that matches nothing is a problem.
//   - A folder that cannot be read, or is not there, gives one criterion that says so and never holds. Nothing is verified
//     by a folder that is missing.
//   - A change of OpenSpec that is no longer in changes is looked for in changes/archive, where a landing moves it.
//   - Ticking a box changes one byte of one file.
//
// # Decisions
//
// 2026-11-26: the criteria are read from the folder each time. Rejected: lists of references to them in the spec, which
// would have to be kept in step with the folder by hand.
//
// 2026-11-26: `met` names scenarios by the hash of their text (their keys count as well). Rejected: their numbers alone,
// with which a scenario that was reworded or moved would still count as met.
//
// 2026-11-30: the commands of a plan are written into the folder as text, and Parts says which criteria each member's spec
// takes from it; the commands are criteria of that spec. Rejected: running the commands in the folder, with which anything
// that another tool writes there would be run.
//
// 2026-11-29: a divided folder of Kiro has a member for each task at the top, with the criteria of which one of its tasks is
// the last to say `_Requirements: 1.2_`. Rejected: a member for each requirement, because most tasks name several.
package adopted
