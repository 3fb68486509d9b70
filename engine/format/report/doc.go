// Package report writes findings and verdicts in the formats that CI systems read:
// SARIF for code scanning, JUnit for test reports, workflow commands for GitHub and
// the code quality format of GitLab; and tables as CSV and Markdown. It decides nothing:
// it writes its input in the given order, and the same input gives the same bytes.
//
// # Rules
//
//   - The output is valid for all texts, including control characters, invalid UTF-8, newlines and "]]>".
//   - A path is relative to the top of the repository, with slashes. Lines count from 1; 0 means the whole file.
//   - A fingerprint depends on the rule, the file, the spec and the message, never on
//     the line: text added above a finding does not make it a new one.
//
// # Decisions
//
// 2026-11-20: the JUnit output is valid by both the first and the latest schema of Jenkins (junit-4 and junit-10, the
// latter also pytest's): a file and a line are written into the text of a failure, and the file into a property of its
// suite. Rejected: the attributes file and line, which some readers support but both schemas forbid.
package report
