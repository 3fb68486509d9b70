// Package criteria finds out whether what a spec requires holds in a worktree, and records how it knows.
//
// # Rules
//
//   - A plan contains the criteria of a spec, then the commands of its key `verify`, then those of the project and of its
//     rules. For a run the criteria are those of its start commit, plus those that were added since, and the target files of
//     that commit decide which rules count.
//   - A criterion with commands holds if all of them exit with 0 in the worktree. Its box has no influence. A
//     criterion that passes only after a retry is reported as flaky.
//   - A criterion without a command holds if its box is ticked. This package ticks no boxes.
//   - Commands get the variables of an allow-list and those that the settings name,
//     never the rest of the environment; no folder on their PATH is in the worktree.
//   - In a check tree every command sees only what is committed and what set-up made: Spot.Restore removes what one
//     command leaves before the next one starts, and commands that run side by side have trees of their own.
//   - Every verdict comes with its evidence: command, exit code, duration, the end
//     of the output and the hash of all of it.
//   - Evidence is cached by tree, commands and environment: one entry for the commands of a spec, since one may change
//     what the next one sees, and one for those of the project. Cached evidence never decides a landing: anyone who
//     works in the repository can write it.
//
// # Decisions
//
// 2026-11-30: how strong criteria are is part of the report of the completion, and what is measured after the landing replaces the
// note that has it. Only the machine that has signed a note signs it again. Rejected: notes of their own, which others would
// have to fetch, sign, check and trust beside the first; and signing what another key has signed, since the new signature
// would cover what its owner has claimed.
//
// 2026-11-28: what a command has added, and files of another size, are not read to be compared, and new files of 64 MiB or more
// count by what the kernel records of them. Rejected: reading all content: a command can leave a file of a TiB that has none.
//
// 2026-11-20: the branch of a run is not in the environment of a check, and the id of the spec only in that of the
// spec's own commands. Rejected: both everywhere. A check could then give another answer for the same tree later, and
// evidence of the project's commands could not be cached from one spec to the next.
//
// 2026-11-22: a report without verdicts has a status of its own, Nothing, and is not verified; whether it may land is
// a setting (verify.require). Rejected: Passed, as before, with which evidence of nothing looked like evidence; and
// refusing it always, because chores without a check are common.
//
// 2026-11-22: a command never builds on the files of another one: it would judge files that are not
// committed, and could make a later command pass. Rejected: removing only what is not ignored,
// since build output is where such files hide; and one tree for commands side by side, where one
// command could change a file and restore it while another one reads it.
//
// 2026-11-20: output is read to its end and only its tail is kept. Rejected: killing a
// command that prints too much, since its output is not what it is judged by.
//
// 2026-11-20: the seal of a report detects an edit by hand, not a forger who knows how the seal
// is computed: no secret is safe from a program of the same user. Only running the commands again
// proves a result.
package criteria
