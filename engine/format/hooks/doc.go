// Package hooks composes the git hooks with which chant checks commits and pushes: the block in each hook and the
// script that all blocks source. It inserts a block into a hook of another program and removes it again. It reads and
// writes no file and knows no operation.
//
// # Rules
//
//   - After its block was removed a file is byte for byte as before.
//   - A hook of another program keeps its name, its folder, its arguments and its standard
//     input, and its exit code is the exit code of the hook.
//   - A hook starts chant only if there is something to check, and before that it uses only git
//     and builtins of the shell: programs without a terminal often have a short PATH.
//   - If chant is not found or does not run, the hook reports it and lets git continue.
//
// # Decisions
//
// 2026-11-20: an existing shell hook gets a block after its first line. Rejected: moving it and calling it, as husky
// and others use the name and the folder by which they are called; and a block at the end, which is not reached after
// "exec" or "exit". A hook that is not a shell script, a link or not executable is moved to NAME.chant-before in the
// same folder and called by ours: a shell script is sourced, so its name and folder are as before, and any other
// program finds its folder. A program under several names is moved to chant-before/NAME instead and keeps its name.
// Rejected: that folder for all hooks, which would not find the files beside them.
//
// 2026-11-20: the blocks source one script in the common folder of the repository, so
// that committed files contain no path of one machine. Rejected: the path of
// chant in every hook.
//
// 2026-11-20: husky and lefthook overwrite their hooks without keeping our blocks. The status then reports it, and
// installing again restores the blocks; in husky's files in the repository a block survives, and is only written on
// request. Rejected: a core.hooksPath of our own before theirs, with which pre-commit and lefthook refuse to install;
// and settings of a worktree, which older gits and other programs cannot read.
package hooks
