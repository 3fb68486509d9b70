// Package weakened finds what a change makes weaker in the checks of a project: tests that are gone, skipped or assert less,
// expectations that follow the code, and settings of test runners, CI and hooks that let more pass.
//
// Find compares texts alone, Between what two commits have, so that a run, a landing and a clone find the same. Nothing is
// decided here: each finding has its place, and a person or a setting says whether the change may land.
//
// # Rules
//
//   - An honest change has no finding: precision counts more than finding all. A test that was moved, renamed, merged into
//     a table or deleted together with the code that it names is not removed, and comments and layout never count.
//   - Files of code are divided by package outline. Comments and strings are found by the syntax tree, so that a text which
//     looks like a skip is none. Everything else is compared line by line.
//   - Generated and binary files, and those of 1 MiB or more, are judged by their paths alone. A text that becomes one is a
//     finding if it checks something.
//   - A script that a command runs may be the work itself: only lines that end it early count. A file that a command compares with
//     is a check, unless the spec is about it.
//
// # Decisions
//
// 2026-11-29: assertions and marks are found by patterns in the text of a test, from which comments and strings are blanked.
// Rejected: patterns of nodes for each of fourteen grammars, in which a call of the same library has ten shapes.
//
// 2026-11-29: an error that is checked in passing (require.NoError, err != nil) is no assertion. Counting it made a finding
// of each change that removes an error from a signature.
//
// 2026-11-30: commands are divided into words by a few characters. Rejected: a whole parser of a shell, since
// scripts of "sh -c" and variables would still need an interpreter to be exact, and a word too many is only the name of no file.
//
// 2026-11-30: settings of runners are judged by their lines, and count for the tests below their folder. Rejected: a finding for
// each new file, since most have fixtures, addresses of registries or versions, and a person who sees many accepts them unread.
package weakened
