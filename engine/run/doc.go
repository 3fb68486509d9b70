// Package run is one run's life: from a spec that is ready to a commit on the
// target that holds code and status, or to a branch that says why not.
//
//	branch    the run's branch, with the start commit on it
//	worktree  the agent's tree
//	setup     ignored files copied and linked, set-up commands
//	prompt    what the agent is told
//	agent     the agent CLI, from start to the end of its last descendant
//	collect   what it left uncommitted is committed; its changes are judged
//	verify    the criteria of the start commit, in a clean worktree of the branch
//	complete  the completed front matter, committed on the branch
//	land      one merge commit on the target
//	clean     worktree, branch and caches go
//
// Complete work whose target has moved may be brought up to date first; one of these
// then stands in place of all before collect:
//
//	rebase    the branch is replayed on the target
//	resolve   the target is merged into it, an agent resolves what conflicts
//
// Its parts are packages of their own: attempt (what they share), tree (worktrees), place (where criteria run), guard (what
// may land), judge (criteria), briefing (what the agent reads), launch (agents), edits (a person's edits), landing (the
// merge). Run carries an attempt through its steps with them.
//
// # Rules
//
//   - A step is journaled before it begins and after it ends. Each looks at what is
//     really there before it acts, so doing it again is harmless; that is how a run
//     killed anywhere goes on.
//   - The caller holds the run's lock from before the first step to after the last.
//   - Until the agent begins, a failure undoes everything. From then on nothing is
//     undone: the branch and the tree stay, and the branch says what happened.
//   - A person may ask at any time whether the work is done (Finish). Until it is,
//     branch, spec and journal stay as they were; what lay uncommitted in the tree
//     is committed only if it is.
//   - Every landing passes one gate, whoever asks for it. It compares the branch with its
//     start commit, with what chant has completed and with what lay around the run, and it
//     runs the criteria again unless this very process has run them on this commit.
//   - A process that takes up what another has left believes the journal as to where the
//     run was, not as to what it found: it begins no later than at collect.
//
// # Decisions
//
// 2026-11-20: a run stopped by its person becomes paused, on its branch. Rejected:
// leaving in_progress behind, which looks like a crash. So does one whose agent has to
// wait, with the time at which it goes on; who waits and starts is not known here.
//
// 2026-11-20: a crash while the agent worked starts a new attempt in the same
// tree, after committing what lay there. Rejected: resuming the same attempt,
// since no one knows what the agent had in mind; and resetting the tree, which
// loses work.
//
// 2026-11-20: a crash while the branch of complete work is brought up to date is taken
// back, and the spec stays what it was, for a person to ask again. Rejected: a new attempt
// or a pause, which would have the agent do again what is done; and asking the resolving
// agent anew by ourselves, whose provider and cost a person had chosen.
//
// 2026-11-22: a killed run goes on at collect, and evidence counts only in the process that
// found it. Rejected: going on at the landing by what journal and branch say, as before, for
// an agent that kills chant can have written both; and sealing the journal with a key, which
// an agent of the same user can read.
package run
