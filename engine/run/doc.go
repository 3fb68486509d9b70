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
// # Laws
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
//   - The criteria are those of the start commit. What the agent did to them, to
//     other specs or to settings is found by comparing and lands nowhere by itself.
//   - A run lands what people have approved: the text that it began with, the target's
//     version, and where the project asks for it the work. Its own ticks and prose void
//     nothing; another commit does.
//   - The form of an agent's output is that of the start commit.
//   - What an agent does where no branch shows it (hooks and settings of git, tools,
//     journal, evidence) is found by looking before and after, and counts until a person
//     accepts it or drops the run.
//   - Criteria see what is committed and what set-up makes of it. Their tree lies outside the
//     repository and every worktree, and is compared with what it was before each command
//     (checktree.go). Uncommitted files of the person's checkout reach it only where the settings
//     copy or link them; an agent that changes those is reported.
//   - A place whose criteria have changed tracked files, or what is checked out, proves
//     nothing: nothing found there is kept, and no other spec is judged there.
//   - The evidence is a git note on the complete commit, and on the merge commit before
//     the target moves.
//   - What an agent uses is journaled as it tells of it, so that it counts however the
//     agent or its run ends.
//   - The target moves once, by one merge commit, after everything held. A failure
//     to land leaves the spec completed on its branch. "Landed" means that the target is
//     at that commit: it is looked at again before the branch goes.
//   - Every landing passes one gate, whoever asks for it. It compares the branch with its
//     start commit, with what chant has completed and with what lay around the run, and it
//     runs the criteria again unless this very process has run them on this commit.
//   - A process that takes up what another has left believes the journal as to where the
//     run was, not as to what it found: it begins no later than at collect.
//   - A target that was rewound stops the landing: what was dropped from it stays dropped.
//   - A worktree is removed only when nothing in it is uncommitted, or after that
//     was kept under refs/chant/rescue/. One whose submodules hold what nothing else
//     has stays.
//
// # Decisions
//
// 2026-11-23: a failure has a kind, spec.ReasonCode. It is kept as reason_code beside the text of the reason, in front
// matter and in the journal's record of the failure, and every decision reads it. Rejected: recognising the wording of
// the reason, as before: a reworded message changed what chant advised, and so did a spec or an agent that wrote the same
// words. A journal from before has no codes; kindOfWording reads those records, and nothing else reads wording. Front
// matter from before counts only as far as the journal knows of the failure: for any other old reason the advice is the
// general one. Rejected: reading the wording of old front matter, which anyone can write.
//
// 2026-11-22: a reset carries a person's edits of the run's copy of the spec over to home: those
// that commands made, which the journal names, and whatever changed between the end of one attempt
// and the start of the next, when no agent works. Rejected: the whole copy of the branch, which has
// what the agent wrote into it too; and recognising edits by trailers of commits, which an agent can
// write.
//
// 2026-11-22: an edit that a person makes in home's copy of a spec while its branch is there reaches the branch
// when the next attempt begins, and the text whose criteria count. The journal keeps home's copy to compare with.
// Only what changed between two attempts is such an edit; what changed during one may be the agent's, and is
// reported. Rejected: the branch's copy alone, as before, with which an edit was silently without effect;
// trusting the branch's whole copy afterwards, as after chant edit, since no person has seen what the agent wrote
// there; and comparing with the start commit, with which an agent's own edit of home would pass as a person's.
//
// 2026-11-22: a repository in an ignored folder is kept with its worktree if it has files or commits
// that nothing else has. Rejected: keeping every repository, since package managers leave clones that
// can be made again; and looking for them before landing, since ignored files keep no work from landing.
//
// 2026-11-22: check trees lie in the user's cache folder. Refused: .chant/worktrees, as before,
// where tools that search upward find node_modules, go.work or package.json of the person's
// checkout or of an agent; and a folder for temporary files as the first choice, since whoever may
// write there can put such files above the tree. It is the second choice, where the cache folder
// lies inside the repository, cannot be written, or has a project above it.
//
// 2026-11-22: the check tree is compared by what the kernel keeps of each file (size, inode, time of
// the last change) and then by content. Refused: asking git, whose own cache of files settings and
// "git update-index" lead astray. What was changed in the products of set-up is made again by setting
// up the tree anew. Refused: reporting it, since builds update what earlier builds made.
//
// 2026-11-22: local branches, tags and settings are compared before and after each command of a criterion. A change of
// the target or of a setting is tampering; one of another branch or of a tag is a warning, since a person or a fetch in
// the background may have made it. What the reflog of a checkout of a person shows, and what other runs land, is left
// out. Rejected: taking a change back, which could delete what a person has just made; and a clone for each check, in
// which criteria that read the history find another repository.
//
// 2026-11-22: links and copies of uncommitted files stay in check trees, and what an agent or a
// criterion changes in them is reported. Refused: leaving them out, with which "npm test" finds no
// dependencies; and ignoring changes, with which an agent replaces the tool that judges it.
//
// 2026-11-22: a driver with checks of its own that do not hold stays open when its last member lands, as needs_attention
// with its reason. Rejected: refusing the landing, because the member's own criteria hold; and leaving it pending, which
// says nothing to whoever looks later.
//
// 2026-11-20: criteria run in a clean worktree of what is committed, for a run as for
// everybody later. Refused: the run's tree, as before, in which files that git ignores or
// does not know can make them hold.
//
// 2026-11-20: a run stopped by its person becomes paused, on its branch. Refused:
// leaving in_progress behind, which looks like a crash. So does one whose agent has to
// wait, with the time at which it goes on; who waits and starts is not known here.
//
// 2026-11-20: a crash while the agent worked starts a new attempt in the same
// tree, after committing what lay there. Refused: resuming the same attempt,
// since nobody knows what the agent had in mind; and resetting the tree, which
// loses work.
//
// 2026-11-20: a crash while the branch of complete work is brought up to date is taken
// back, and the spec stays what it was, for a person to ask again. Refused: a new attempt
// or a pause, which would have the agent do again what is done; and asking the resolving
// agent anew by ourselves, whose provider and cost a person had chosen.
//
// 2026-11-20: where git writes no markers, a conflict that the agent has left untouched,
// file and index, stands open. Refused: taking it for resolved, which lands one side
// alone; and asking for a change, with which nobody could keep a file as it is.
//
// 2026-11-20: a run's ports are a range whose lock its process holds; a killed run
// keeps them until it is taken up or dropped. Refused: deriving them from the id,
// which two runs can share; and asking whether they are free, which says nothing of
// the next minute.
//
// 2026-11-20: a file named in .worktreeinclude that the run's branch does not ignore
// is left out, and more than can be meant is refused. Refused: copying it all the
// same, with which a secret would be committed as the agent's leftovers; and copying
// a part.
//
// 2026-11-20: a spare worktree gets its new files where it stands, under the lock of
// that place, and moves to the run when git shows it clean: killed at any moment it is
// whole, or nobody's. Refused: switching it at the run's place, where half of it looks
// like work. One with a sparse checkout, submodules or flags in its index is not used
// again: what git cannot show it cannot clean.
//
// 2026-11-20: what is only in a submodule of the tree stops the run, reset and clean-up
// until its person has pushed or discarded it. Refused: fetching it into home's store of
// the submodule, which makes a commit to land of what nobody else can fetch; and setting
// the tree aside, for git keeps the submodule's objects with the registration.
//
// 2026-11-20: agents that are only asked (judges, those that split) have one journal
// together, which is no spec's. Refused: the journal of the spec that they are asked about,
// where they would look like attempts at it.
//
// 2026-11-22: a killed run goes on at collect, and evidence counts only in the process that
// found it. Refused: going on at the landing by what journal and branch say, as before, for
// an agent that kills chant can have written both; and sealing the journal with a key, which
// an agent of the same user can read.
//
// 2026-11-22: a branch that chant has not completed in this repository, or to which work was
// committed since, does not land before it was finalized. Refused: landing whatever holds
// its criteria, for it is then unknown who has ticked the boxes.
//
// 2026-11-22: what a person or an agent may have done alike (a branch or a worktree removed,
// the journal written) is reported without naming who. Refused: blaming the agent.
//
// 2026-11-20: copies of ignored files are made anew in a spare worktree, dependencies
// are not: the first may have been changed by the agent before. Refused: keeping both.
package run
