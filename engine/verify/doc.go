// Package verify checks specs against commits: Verify, VerifyAll, Drift, the evidence recorded for completions, and
// whether a completion was forged. Package engine/evidence/criteria decides what a criterion is and runs it.
//
// # Rules
//
//   - Verify runs the commands of criteria in a clean worktree of a commit. If a command changes tracked files there,
//     verification fails.
//
// # Decisions
//
// 2026-11-20: drift is found by comparing digests of git's trees: those recorded at completion, and those of the
// landing commit. Rejected: times of files, because a clone sets them anew; digests of files in the checkout, because
// other line ends change them; and the commit nearest to completed_at, because clocks and merges make that time
// unreliable.
//
// 2026-11-30: a range that completes a spec and rewords it later needs evidence for both wordings: that of the completion
// for its own, and renewed evidence for the last. Rejected: to believe commands that pass in the last one, since a change
// could then break the work and drop the criteria that show it in one range.
package verify
