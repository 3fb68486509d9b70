// Package guard decides whether a run may land. Every landing passes MayLand, no matter which command asks for it.
//
// It compares the branch with its start commit, with what chant has completed, and with the surroundings of the run
// when its agent started: git's hooks and settings, tools, journal, evidence and home.
//
// # Rules
//
//   - Changes that the agent made to criteria, other specs or settings are found by comparison and never land unless a
//     person accepts them.
//   - A run lands what people have approved: the text that it started with, the target's version of it, and the work
//     itself if the project asks for that. Ticked boxes and prose do not void an approval of the work; another commit
//     does.
//   - A side effect is a change outside the branch: a hook, a setting, a tool, home. It is found by comparing the
//     surroundings before and after the agent. It counts if the agent can have made it, until a person accepts it or drops
//     the run, or it is found to be undone before the next agent begins. All others are reported.
//   - Checks that the work weakens (package weakened) keep it from landing until a person accepts them, where verify.weakened
//     asks for that.
//   - A target that was rewound stops the landing: commits that were dropped from it stay dropped.
//
// # Decisions
//
// 2026-11-30: a branch that has merged the unfinished run of another spec does not land unless a person accepts it. Before, it
// landed, and the other run, which had done nothing, could not (BranchIntact). Rejected: letting the other one land all the
// same, since a merge that ignores its files (-s ours) makes git take them for removed on purpose.
//
// 2026-11-30: what a landing changes on the target is compared again, between the target and what lands there, by the rules of the
// target (CheckLanding). Comparing the branch with the commit at which it left the target is not enough: a branch that merges
// another one leaves it at a commit of its choice, and git's merge follows files that were renamed on the target. Rejected:
// comparing with all commits at which the branch left the target, which says nothing about what the merge itself changes.
//
// 2026-11-29: with "verify.weakened: refuse" no acceptance counts, not even one of the same run: the setting is for projects in
// which none of those who may accept changes may weaken a check. Rejected: letting --accept-changes decide, as for protected
// files, which is what "ask" does.
//
// 2026-11-29: what lies where the wall lets neither the agent nor a criterion write, by every link on the way there, is
// reported if it changes and no more: a person has changed it. Permissions of hooks are compared all the same, since the wall
// does not keep them. A command of chant that an agent has asked for writes more than the agent, but none of those commands
// changes settings, hooks or keys. Rejected: reporting whatever changes in the sandbox, since sandbox.write and included
// settings may let an agent write there; and asking the person, who is not there at night.
//
// 2026-11-29: without a wall, chant's own commands leave in a journal what they have changed. It is believed where it is sealed
// with a key that was there when the run began, else about keys and removals alone; hooks and settings that are to the byte
// what chant writes need no record. An agent can write to that journal, as it can run those commands in a process that it has
// left behind. Rejected: refusing these commands while runs work; and believing any record, which could excuse any hook.
//
// 2026-11-27: git itself says whether the commits and folders of a branch are as it would write them, from a pack of them
// (index-pack --fsck-objects). Rejected: rules of our own, which would differ from those of servers; "git fsck", which
// reads the whole repository; and letting a person accept such a branch, who could not push it.
//
// 2026-11-26: changes that only an agent is likely to make keep a run from landing; changes that people make while runs
// work (a commit, a new spec, a program that they install) are announced and logged. Rejected: stopping for all, since
// people would learn to accept without reading; and for none that a person could have made, since every one could be.
//
// 2026-11-26: programs are compared by their content, except for chant itself and those that only others run, which are
// compared by inode, size and time: chant's would take longer to read than all else. Rejected: reading every program of
// PATH; and following what programs load, which no one can list.
//
// 2026-11-26: what a person has accepted or waived is in the message of the complete commit. Rejected: only in the
// evidence, which a clone need not have; and in front matter, which the agent writes.
//
// 2026-11-22: a branch that chant has not completed in this repository, or to which work was committed since, lands
// only after finalize. Rejected: landing every branch that meets its criteria, since it is unknown who has ticked the
// boxes.
//
// 2026-11-22: what either a person or an agent may have done (removed a branch or a worktree, written to the journal)
// is reported without naming who did it. Rejected: blaming the agent.
package guard
