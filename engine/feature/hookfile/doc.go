// Package hookfile reads .rstn/hooks.yaml and .rstn/hooks.json: commands of a project that have a name, such as lint,
// test and format.
//
// It is pure: it opens no file and runs nothing.
//
// # Rules
//
//   - A hook has a command, and may have a limit of time, a folder below the worktree, and variables.
//   - Hooks keep the order of the file.
//   - What cannot be read, a key that is unknown and a value of a wrong type are a *chant/markdown.SyntaxError with
//     file and line. An empty file has no hooks.
//   - Arguments reach a command as "$@" and are never part of its text. Where nothing can follow the command as its
//     argument, it takes none.
//
// # Decisions
//
// 2026-11-26: a broken file is an error. Rejected: taking it for a file without hooks, as rstn does, because a typing
// error then looks as if the project had no checks.
//
// 2026-11-26: an unknown key is an error as well. Rejected: skipping it, since a limit written as `timeout` would not
// limit anything.
package hookfile
