// Package landing merges completed work into its target, and completes the drivers whose last member it is.
//
// # Rules
//
//   - The target moves once, by one merge commit, after everything held. A failure to land leaves the spec completed on its
//     branch.
//   - "Landed" means that the target is at that commit: it is looked at again before the branch goes.
//
// # Decisions
//
// 2026-11-22: a driver with checks of its own that do not hold stays open when its last member lands, as needs_attention
// with its reason. Rejected: refusing the landing, because the member's own criteria hold; and leaving it pending, which
// says nothing to whoever looks later.
package landing
