// Package hooks composes the git hooks by which a commit and a push meet chant: the
// block that stands in each hook, the script that all of them source, and how a block
// gets into a file of someone else and out again. It touches no file and knows no
// operation.
//
// # Rules
//
//   - What is taken out leaves the file byte for byte as it was.
//   - Someone else's hook keeps its name, its folder, its arguments and its standard
//     input, and its exit code is that of the hook.
//   - A hook starts chant only when there is something for it to look at, and until then
//     runs nothing but git and what the shell itself knows: a program without a terminal
//     has hardly a PATH.
//   - Where chant is not found or does not run the hook says so and lets git go on.
//
// # Decisions
//
// 2026-11-20: a shell hook that is there gets a block behind its first line. Refused:
// moving it aside and calling it, since husky and others look at the name and the folder
// they are called by; and a block at the end, which is not reached behind "exec" or
// "exit". What is no shell script, a link, or not executable is moved to NAME.chant-before
// in the same folder and called by ours: a shell script is sourced, so that it has the name
// and the folder it had, any other finds its folder. One program under several names goes to
// chant-before/NAME instead and keeps its name. Rejected: that folder for all, in which
// no one finds what lies beside a hook.
//
// 2026-11-20: the blocks source one script in the common folder of the repository, so
// that no path of one machine stands in a file that is committed. Rejected: the path of
// chant in every hook.
//
// 2026-11-20: husky and lefthook write their hooks anew and know nothing of ours. Where
// that happens the status says so and installing again puts the blocks back; in a file
// of the repository (husky's own) a block survives, and is written on demand only.
// Rejected: a core.hooksPath of our own in front of theirs, with which pre-commit and
// lefthook refuse to install; and settings of a worktree, which older gits and other
// programs cannot read.
package hooks
