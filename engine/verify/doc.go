// Package verify checks specs against commits: Verify, VerifyAll, Drift, recorded evidence, and whether a completion was
// forged. What a criterion is and how it runs is decided in engine/criteria.
//
// # Rules
//
//   - Verify runs what the criteria say, in a clean worktree of a commit. Nothing that ran counts if it changed tracked
//     files there.
//
// # Decisions
//
// 2026-11-20: drift is found by digests of git's trees, kept at completion, and by the tree of the landing. Rejected: times
// of files, which a clone makes anew; digests of working files, which another line ending changes; and the commit nearest
// to completed_at, since clocks and merges lie.
package verify
