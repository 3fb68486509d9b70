// Package moves finds which refs were moved while an agent worked or criteria ran, and by whom as far as that can be
// known: by chant, by people, or by neither.
//
// It moves nothing back and names no culprit: a person's git and an agent's git write the same.
//
// # Rules
//
//   - What chant does is known by more than its messages, which anyone can write: a landing is in the journal of its
//     spec, and a commit that keeps books changes only the file of its spec.
//   - A commit in the reflog of a checkout that chant has not created is a person's, also if an agent may have made
//     it there. A commit on a remote-tracking branch came from there.
//   - Each run guards its own branch. That of another run is looked at only while no process is at work on that run.
//
// # Decisions
//
// 2026-11-26: the agents of all runs can write to the folder of their branches, so a commit on the branch of a run whose
// process has ended counts only if the journal of that run, the reflog of a checkout of that branch, or a remote knows
// it: no agent can write to the reflog of a checkout that is not its own. Work does not continue on others, and no edit
// is taken from them. Rejected: moving the branch back, since a person may have moved it with "git branch -f"; believing
// its own reflog, which lies beside it; and asking who committed, which anyone can write.
//
// 2026-11-26: git's folder of a worktree whose name is one that chant gives is not a person's checkout, wherever it says
// that its worktree is: an agent can write to that of its own.
//
// 2026-11-26: commits on the target that neither chant nor a fetch brought stop the landing only if the checkout that
// has the target checked out knows nothing of them: its reflog has an entry for every commit, merge, pull, rebase,
// reset and push that a person makes there, and an agent that moves the branch from elsewhere leaves none. All others
// are reported with the rules that they change, such as protected files, and CI reports those again. Rejected:
// stopping for every such commit, or for those that change rules, since people commit to their branch while runs
// work; the time or the committer of a commit, and variables in the agent's environment, since the agent can choose
// them; and the text of reflogs for more than saying that a checkout was switched, since anyone can write it.
//
// 2026-11-26: evidence that was removed, or replaced by something else, stops the landing. Rejected: a warning, since
// no command of chant and no ordinary command of git does that, and evidence that is gone cannot be asked for later.
// Other evidence with a seal is only reported: a process that resumes a killed run judges again and writes that.
package moves
