// Package report writes findings and verdicts in the formats that CI systems read:
// SARIF for code scanning, JUnit for test reports, workflow commands for GitHub and
// the code quality format of GitLab; and tables as CSV and Markdown. It decides nothing
// and asks no one: what goes in comes out, in the order given, and the same input gives
// the same bytes.
//
// # Rules
//
//   - Whatever the texts hold (control characters, broken UTF-8, newlines, "]]>"),
//     the output stays valid.
//   - A path is that of a file below the top of the repository, with slashes. A line
//     counts from 1; 0 means the whole file.
//   - A fingerprint depends on the rule, the file, the spec and the message, never on
//     the line: text added above a finding does not make it a new one.
//
// # Decisions
//
// 2026-11-20: JUnit keeps to what both the first and the latest schema of Jenkins
// (junit-4 and junit-10, the latter also pytest's) allow: a file and a line go into
// the text of a failure, and the file into a property of its suite. Rejected: the
// attributes file and line, which some readers know and both schemas forbid.
package report
