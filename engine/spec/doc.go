// Package spec holds the laws of a spec: its identity, its fields, its states,
// its criteria and its place among the others. Everything here is pure: no
// file, process, clock or random source is touched; callers hand those in.
//
// # Rules
//
//   - The file name is the id. Neither id nor title is a field.
//   - A status is one of seven words. `ready` and `blocked` are answers computed
//     from the graph; in an old file they read as pending.
//   - One table (machine.go) says which event leads from which status to which.
//     There is no way round it.
//   - One function (Graph.Blockers) says what a spec waits for. Listing, the work
//     gate and lint all ask it, so they cannot disagree.
//   - One function (Spec.ApprovalBlock) says whether approval holds a spec back. Approval
//     is about content (ContentHash), never about where a spec stands.
//   - A criterion is a task-list item under a heading "Acceptance Criteria". One
//     whose text ends in a code span that begins with "$ " carries its own check;
//     its box is then a result and never a claim.
//   - Unknown front matter is kept. Reading never repairs, writing never drops.
//
// # Decisions
//
// 2026-11-23: what files an entry means (engine/spec/fileset, below this package) and how versions of a file are merged
// (engine/spec/versions, above it) are packages of their own. Rejected: a package for approval as well; a spec's holds,
// votes and rules are fields and methods of Spec, and a package below it would need an interface for each of them.
//
// 2026-11-22: new ids count in digits (009, 010, …, 999, 1000) and are still ordered as base 36, which orders digits as
// well. A day that holds older ids (00a) continues with the next digits behind all of them. Rejected: base 36, as before,
// of which a person reads 00a as a mistake; and a second order for new ids, with which a day could sort in two ways.
//
// 2026-11-22: the id of a criterion depends on every byte of its commands, and not on the white space between words.
// Rejected: evening all of it, with which an agent could change a command unseen.
//
// 2026-11-22: a driver's box counts as ticked when a completed member has ticked one in the same words. Rejected: asking
// a person again for what a split has handed to members.
//
// 2026-11-20: an approval whose content was edited holds the spec back, also where none
// was required. Rejected: taking it for none, with which an edit would pass unseen.
//
// 2026-11-20: what an approval is about is listed (contentKeys). Rejected: everything but
// what is known to be bookkeeping, with which each new bookkeeping key voids approvals.
//
// 2026-11-20: an unknown type is kept as it is and works like code. Refused:
// failing the parse, which hides a spec from every list for one word.
//
// 2026-11-20: a failed spec is not ready. Rejected: offering it again by itself,
// which lets a loop burn money on the same failure; `chant work ID` retries it.
package spec
