// Package run carries out one attempt at a spec: from a spec that is ready to a commit on the target branch with code
// and status, or to a run's branch whose status gives the reason why it did not land.
//
// What an attempt will do is a value, Plan, decided from Facts before the first step. Execute carries out its steps:
//
//	branch    create the run's branch, with the start commit on it
//	worktree  create the agent's worktree
//	setup     copy and link ignored files, run the set-up commands
//	prompt    write what the agent reads
//	agent     run the agent CLI, until its last descendant has ended
//	collect   commit what it left uncommitted, and check its changes
//	verify    check the criteria of the start commit, in a clean worktree of the branch
//	complete  commit the completed front matter on the branch
//	land      create one merge commit on the target
//	clean     remove worktree, branch and caches
//
// Complete work whose target has moved can be brought up to date first. One of these steps then replaces all steps
// before collect:
//
//	rebase    replay the branch on the target
//	resolve   merge the target into the branch; an agent resolves the conflicts
//
// The parts of a run are packages of their own: attempt (what is fixed when it starts, and what records it), tree (worktrees and check trees, in which
// criteria run), launch (what the agent reads, and agents), edits (a person's edits), guard (what may land), judge
// (criteria and the landing, with the text of its commit) and train (the line of branches that wait to land). retry.go decides whether and when an agent starts again that
// has met a limit of its provider; package work waits for that time.
//
// # Rules
//
//   - A step is journaled before it begins and after it ends. Each step checks what is really there before it acts, so
//     it can be repeated: this is how a killed run resumes.
//   - The caller holds the run's lock from before the first step until after the last.
//   - Until the agent starts, a failure undoes everything. Afterwards nothing is undone: branch and worktree stay, and
//     the status on the branch says what happened.
//   - A person may ask at any time whether the work is done (Finish). If it is not, branch, spec and journal stay as
//     they were, and what was uncommitted in the worktree stays uncommitted.
//   - Every landing passes two checks, no matter which command asks for it. guard.MayLand compares the branch with its
//     start commit, with what chant has completed and with the surroundings of the run. judge.Recheck then runs the
//     criteria on the merged tree, unless this machine's key has signed a result for the same tree or, without a key, this
//     process has found one. Which branch lands next, and which are checked meanwhile, is decided in train; that decides nothing
//     about what may land.
//   - A process that resumes a run believes the journal as to where the run was, but not as to what was found: it
//     starts no later than at collect. If this machine has a key (engine/evidence/keyfile), the journal is sealed, and the process
//     resumes after the last step that ended: no step is carried out twice, and none is left out.
//
// # Decisions
//
// 2026-11-20: a run that a person stops becomes paused, on its branch. Rejected: leaving it in_progress, which looks
// like a crash. A run whose agent has to wait is paused too, with the time at which it resumes; this package does not
// wait.
//
// 2026-11-20: after a crash while the agent worked, a new attempt starts in the same worktree, once everything in it
// has been committed. Rejected: resuming the same attempt, since nothing is known about what the agent had in mind; and
// resetting the worktree, which loses work.
//
// 2026-11-20: after a crash while the branch of complete work was being brought up to date, that is taken back and the
// spec keeps its status, for a person to ask again. Rejected: a new attempt or a pause, after which the agent would do
// again what is done; and starting the resolving agent again unasked, since a person has chosen its provider and its
// cost.
//
// 2026-11-22: a killed run resumes at collect, and evidence counts only in the process that found it. Rejected:
// resuming at the landing, as before, when journal and branch say so, since an agent that kills chant can have written
// both; and sealing the journal with a key, which an agent of the same user can read. Since 2026-11-26 this holds for
// machines without a key only: a person who makes one has decided that agents cannot read it.
//
// 2026-11-23: job, settings and steps of a run are decided once, from facts that are read once, and given to Execute.
// Rejected: the first and the last step as arguments of several methods, and a job that callers completed afterwards.
//
// 2026-11-29: what a step finds is a field of the one part that finds it, written by that part alone; others take it from
// there or as an argument. Rejected: fields of the attempt that all parts share, of which a reader could not see who writes them
// when; and one value that is passed from step to step, since a run resumes at any of them.
package run
