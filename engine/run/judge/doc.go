// Package judge runs the criteria of a spec: on its branch, on the merged tree before it lands, or in the caller's own
// tree.
//
// # Rules
//
//   - The criteria are those of the start commit, and so is the schema of the agent's output.
//   - Evidence is kept as a git note on the complete commit, and on the merge commit before the target moves. At a
//     landing it counts if this machine's key has signed it; without a key it counts only in the process that found it.
//   - While a branch waits for others to land, it is merged and judged as if they had. The result counts at its turn if it then
//     makes the very same tree, and only in the process that found it.
//   - On a merged tree, a result that was found on another tree counts if nothing that differs is an input of its criterion and
//     if it would count for the other tree. What may matter without being an input counts as one.
//   - Commands run once more where the work began, behind the same wall, while the agent works, or their kept results count.
//     What fails there and holds with the work is fail-to-pass. What fails in both is not the agent's doing. A run waits for
//     that at most two minutes after its work was judged; what is not known by then stays unknown.
//   - Held-out criteria are read before the agent starts and run after it has ended, also on the base. Their texts, commands and
//     output leave this package only as a number, a verdict, and what their author lets the next agent know.
//
// # Decisions
//
// 2026-11-30: with worktree.setup, inputs save no check. Rejected: to trust that its commands read nothing but inputs, since the
// author of a criterion does not think of them; and inputs of set-up, a list that is complete only by chance.
//
// 2026-11-30: criteria that were added during the run always run again, since inputs are what the author of a spec promises about
// its commands, and so do held-out ones, whose commands are in a file of their own. Rejected: the globs of the project for both.
//
// 2026-11-30: held-out criteria are a plan of their own, beside that of the spec. Rejected: items of the same plan, whose commands
// are announced, cached, recorded and quoted in many places; and running them on the base while the agent works, which sees
// the arguments of other processes.
//
// 2026-11-30: what fails on the base with the network of the machine, while an agent works, is run there again when the agent has
// ended, and is not kept: the agent could have made it fail. Without a network of its own it could not. Rejected: running all
// that fails there twice, which a person would wait for.
//
// 2026-11-29: the base is the commit where the branch left the target, not the start commit: they differ only in the spec's
// file, and results for the target serve many runs. Its check has a tree, a lock, ports and a mark of processes of its own.
// Rejected: running it before the agent, which a person would wait for; and in the tree of the later check, which would
// then hold files of the base.
//
// 2026-11-29: a program that cannot be run on the base (126, 127) is not red, unless the command names a file that the work
// adds or changes: then it is missing because the work is. A criterion that was added during the run counts as red for no
// verdict: its agent could have written it. A criterion that could not be run on the base proves nothing, so
// a spec with only such criteria is regression_only, as is one whose criteria all are guards; verify.red_first: require
// lets guards alone land, since their author says that they hold before.
//
// 2026-11-29: a failure is the same as that without the work if its exit code is and most lines of its output are, apart from
// numbers and paths, or if its command is the project's. Rejected: the exit code alone, since a criterion that asks for
// something new fails before the work, too; and the same output, in which times differ.
//
// 2026-11-20: criteria run in a clean worktree of what is committed, during a run and at any time later. Rejected: the
// run's worktree, as before, in which ignored and untracked files can make them hold.
package judge
