// Package feature has the operations on features of spec-kit and changes of OpenSpec: making specs of them where they are,
// and what an agent or a person does with the feature of a worktree.
//
// # Rules
//
//   - A folder is adopted in place: its spec names it by the key `source`, and no byte of it changes.
//   - The feature of a caller is that of its worktree, and never the last folder: the branch leads to it, otherwise a pointer
//     of spec-kit, otherwise the run that the caller is in. The branch of a run leads to what its spec adopts, or nowhere.
//   - Ticking a task changes one byte of its file, and nothing if it is ticked.
//   - What an agent reports passes no gate: completed is a claim, and error can only make its own run fail.
//   - Hooks are those of the worktree; inside a run those of the commit that it began from.
//   - Texts that the documents of rstn fix are a ContractError.
//   - What git does not have yet of a folder that is adopted is committed, because runs start from commits.
//
// # Decisions
//
// 2026-11-26: the branch counts before SPECIFY_FEATURE_DIRECTORY and .specify/feature.json. Rejected: the order of spec-kit,
// which asks only the pointers: a variable is inherited by all worktrees that are started from one shell, and the file stays
// as it is when another branch is checked out, so that either leads to the feature of another worktree or branch.
//
// 2026-11-26: where a spec adopts the folder, a tick in home is a commit of that spec; in a linked worktree the file is
// written. Rejected: the commit there too, since it is made where the spec is, and the file that the caller sees would not
// change.
//
// 2026-11-26: validation is the hook validate, otherwise the hook test. Rejected: running nothing, since skip_validation
// would have no meaning; the criteria of the spec, which decide at the end of a run.
package feature
