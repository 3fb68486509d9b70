// Package landing merges completed work into its target, and completes the drivers whose last member it is.
//
// # Rules
//
//   - The target moves once, by one merge commit, after all checks have passed. A failure to land leaves the spec
//     completed on its branch.
//   - A spec has landed once the target points to that merge commit, which is checked again before the branch is
//     removed.
//
// # Decisions
//
// 2026-11-22: if a driver has criteria of its own that do not hold when its last member lands, it stays open, as
// needs_attention with the reason. Rejected: refusing the landing, because the member's own criteria hold; and leaving
// the driver pending, without a reason to be read later.
package landing
