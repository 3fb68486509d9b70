// Package briefing writes what an agent reads: the prompt with its values, the files of its context, failures of
// earlier attempts, conflicts between branch and target, and the schema of its output.
//
// # Decisions
//
// 2026-11-20: a conflict in a file without markers is open as long as the agent has touched neither the file nor its
// entry in the index. Rejected: regarding it as resolved, which lands one side only; and requiring a change of the
// file, so that it could never be kept as it is.
package briefing
