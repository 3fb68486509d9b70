// Package revision finds what revisions name and reads from there: files, folders, commits and
// history, how two commits are related, and in what they differ.
//
// It never writes anything.
//
// # Rules
//
//   - A full ref name, a branch, HEAD and a whole hash are resolved without a process, and so are
//     the files, folders and differences read from them. So are the last few commits of a history; git walks the rest.
//   - What is remembered between calls is only what no later commit can change.
//
// # Decisions
//
//   - 2026-11-23: how two commits a few steps apart are related, and the commits between them, are read in process: a
//     landing asked git that a dozen times. Rejected: the walk of go-git v5.19.3, which reads a whole history that git has an index
//     of.
//   - 2026-11-27: the parents of commits that were read are remembered, and merges on the way are followed: with fifty
//     runs at once, as many landings are between the start of a run and its target. A commit whose content is not that
//     of its name is not believed, since agents can write to the files of objects. Rejected: asking git for what is more
//     than a few commits away, which took four processes for each run.
//   - 2026-11-23: the object that a branch names is not read to find out that it is a commit. Every command asks for a
//     branch as it starts, and reading one object reads the list of all packed ones: 15 ms with 100,000 files.
package revision
