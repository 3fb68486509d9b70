// Package place creates the folders in which criteria run: a clean checkout of one commit, outside the repository and
// every worktree, set up like a worktree, compared after each command with what it was before, and removed at the end.
//
// # Rules
//
//   - Criteria see what is committed and what set-up creates from it. Uncommitted files of the person's checkout are
//     there only if the settings copy or link them; an agent that changes those is reported.
//   - A place in which criteria have changed tracked files, or what is checked out, proves nothing: nothing found there
//     is kept, and no other spec is judged there.
//
// # Decisions
//
// 2026-11-26: git compares a check tree once, and again only after a command has changed the index: its answer depends
// on nothing else that is not compared here after each command. Rejected: asking it after each command, which was a
// third of the time of a check of short commands; and never, since a change that is only staged would not be seen.
//
// 2026-11-26: check trees are written, and compared, by settings of their own: links as links, no conversion of line ends
// and no attributes but those of the commit and of info/attributes, which git cannot ignore and the guard watches.
// Rejected: the settings of the user, since they make other files of the commit than a CI job gets, and an agent can
// change them; and on Windows links, which many people there may not make.
//
// 2026-11-26: what one command leaves is removed before the next one runs, and changed tracked files fail the check.
// Commands that need what others have built belong into one criterion, or into verify. Rejected: sharing build outputs,
// since code of an agent that runs in one criterion could then make the next one hold.
//
// 2026-11-23: a commit in the reflog of a worktree that chant has created never explains why a branch moved, also if
// HEAD there is on no branch. Rejected: asking only for the branch, which an agent can leave.
//
// 2026-11-22: check trees are in the user's cache folder. Rejected: .chant/worktrees, as before, where tools that
// search upward find node_modules, go.work or package.json of the person's checkout or of an agent. The folder for
// temporary files is only the second choice, since any user can put a go.work there, above the tree: it is used if the
// cache folder is inside the repository, is not writable, or has a project above it.
//
// 2026-11-22: the check tree is compared by what the kernel records of each file (size, inode, time of the last change)
// and then by content. Rejected: asking git, since settings and "git update-index" can mislead its own cache of files.
// If commands have changed what set-up created, the tree is set up again. Rejected: reporting such changes, since
// builds update what earlier builds created.
//
// 2026-11-22: local branches, tags and settings are compared before and after each command of a criterion. A change of
// the target or of a setting is tampering; one of another branch or of a tag is a warning, since a person or a fetch in
// the background may have made it. Changes that the reflog of a person's checkout shows, and landings of other runs,
// are left out. Rejected: undoing a change, which could delete what a person has just made; and a clone for each check,
// in which criteria that read the history would find another repository.
//
// 2026-11-22: links and copies of uncommitted files stay in check trees, and changes that an agent or a criterion makes
// in them are reported. Rejected: leaving them out, so that "npm test" finds no dependencies; and ignoring changes, so
// that an agent could replace the tool that checks its work.
//
// 2026-11-27: a file that git has just written to a check tree is not read before something writes to it: its name in git
// says what it holds, unless attributes convert it. Rejected: reading every file first, a tenth of the time of a run in a
// project of 2,000 files.
package place
