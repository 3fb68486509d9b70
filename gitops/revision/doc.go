// Package revision finds what revisions name and reads from there: files, folders, commits and
// history, how two commits are related, and in what they differ.
//
// It never writes anything.
//
// # Rules
//
//   - A full ref name, a branch, HEAD and a whole hash are resolved without a process, and so are
//     the files, folders and differences read from them. Histories are git's to walk.
//   - What is remembered between calls is only what no later commit can change.
package revision
