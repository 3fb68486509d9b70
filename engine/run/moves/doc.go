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
//   - The branches of runs are not looked at: each run guards its own.
//
// # Decisions
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
