// Package prove measures the strength of a spec's criteria: would they have noticed if the change were wrong? It makes wrong
// versions of what a spec has changed, runs the criteria on each, and reports those that pass.
//
// # Rules
//
//   - Each hunk is reverted alone first. If the criteria pass without it, none of them depends on its lines, and these are
//     not changed any further. Of all other lines there are mutants (package engine/code/mutant).
//   - A wrong version is a commit that no ref leads to, checked out in a check tree behind the wall, as for each other check.
//     A criterion that fails ends it. Only what has run to its end is counted.
//   - A version that does not build says nothing about the criteria: it is counted apart.
//   - A criterion that also fails with a comment, and with an empty line, at the end of the changed programs is not measured: it
//     compares texts.
//   - Criteria that fail on the change itself prove nothing, and neither does a change of tests alone.
//
// # Decisions
//
//   - 2026-11-29: one check tree for each processor is switched from version to version, by git, which writes only what
//     differs. Rejected: a new tree for each, which copies and sets up all files again; and writing the changed file into the
//     tree of the unchanged commit, in which criteria such as "git diff --exit-code" would fail for every version.
//   - 2026-11-29: set-up runs once for each tree, since it is mostly the installation of dependencies. What set-up builds from
//     the changed files is therefore that of the unchanged ones.
//   - 2026-11-29: a command may take three times as long as it ever took, and a second, since mutants of loops do not end. The
//     first wrong version has 20 seconds more. Rejected: only the time on the unchanged tree, for which everything is built
//     already: versions that were still being compiled counted as noticed.
//   - 2026-11-29: hunks come from git's diff, which this package parses. Rejected: hexops/gotextdiff 1.0.3, whose memory grows
//     with the square of the number of changed lines.
//   - 2026-11-30: a command that reached nothing on the unchanged tree runs without a network alone on wrong versions. Rejected:
//     to run it as ever, which is once more with the network after each failure, so twice for each version that is killed.
//   - 2026-11-30: the hunks of an agent's diff are found by their lines alone, and must be there once. Rejected: "git apply",
//     which needs the right line numbers, and agents count badly.
package prove
