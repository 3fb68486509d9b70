// Package history says what happened to each spec, from the commits of git: when, by whom, by which events, and which
// fields changed.
//
// All commits are walked once. The index keeps which of them changed which spec, so that later calls read only the
// commits that came since. Without the index, each call walks all of them.
//
// # Rules
//
//   - The history of a spec is that of its files, active and archived, in the commits of your checkout's branch, and
//     behind them those on the branch of its run.
//   - A merge only counts for what it has differently from all of its parents, such as a status that landing sets.
//   - When another branch is checked out, or commits were rewritten, the commits that the branch does not have are
//     taken out and those that it has are added.
//   - What changed is read from the two versions of the file, only for the specs that were asked for, and kept. Texts
//     that are longer than 2,000 bytes are cut off.
//   - An import of tasks is an event like others, but no modification: the dates of imported tasks stay.
//   - Nothing is kept in memory between calls.
//
// # Decisions
//
// 2026-11-23: the files of all commits come from one walk by git. Rejected: to take from the trailers of chant's commits
// which specs they changed, which is faster but leaves out what else they changed, such as the members of a spec that
// is split.
//
// 2026-11-23: a spec has one value with its commits, and another with the changes of its fields. Rejected: one value for
// both, because lists of tasks read the dates of many specs and texts of none.
//
// 2026-11-23: numbers of tasks that were used before come from trailers of commits and from the last versions of removed
// specs. Rejected: all versions of all specs, since the specs that exist are known to callers.
package history
