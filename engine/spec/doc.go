// Package spec holds the rules of a spec: its id, fields, statuses, criteria and approval, and what it waits for among
// other specs. Everything here is pure: it uses no file, process, clock or random source. Callers pass in what they
// read.
//
// # Rules
//
//   - The file name is the id. Neither id nor title is a field.
//   - A status is one of seven words. `ready` and `blocked` are computed from the graph; in an old file they are read
//     as pending.
//   - One table (machine.go) defines which event leads from which status to which. Every change of a status follows it.
//   - One function (Graph.Blockers) returns what a spec waits for. Listing, starting work and lint all use it, so they
//     cannot disagree.
//   - One function (Spec.ApprovalBlock) decides whether approval holds a spec back. Approval covers the content of a
//     spec (ContentHash), not its status.
//   - A criterion is a task-list item under a heading "Acceptance Criteria". A criterion with a code span that begins
//     with "$ " has its own command; its box is then the result of that command and not a claim of the agent.
//   - Unknown front matter is kept. Reading repairs nothing, and writing drops nothing.
//
// # Decisions
//
// 2026-11-23: which files an entry matches (engine/spec/fileset, below this package) and how versions of a file are
// merged (engine/spec/versions, above it) are packages of their own. Rejected: a package for approval as well, because
// approval uses fields and methods of Spec, and a package below this one would need an interface for each of them.
//
// 2026-11-22: new ids count in digits (009, 010, …, 999, 1000). Ids are still ordered as base 36, which orders digits
// correctly too. On a day that has older ids (00a), new ids continue with the next number in digits that sorts after
// all of them. Rejected: base 36 for new ids, as before, because people take 00a for a mistake; and a second order for
// new ids, because the ids of one day could then sort in two ways.
//
// 2026-11-22: the id of a criterion depends on every byte of its commands, but not on the white space between words.
// Rejected: normalising the white space of commands too, because an agent could then change a command unnoticed.
//
// 2026-11-22: a driver's box counts as ticked when a completed member has ticked a box with the same text. Rejected:
// asking a person again about criteria that a split has moved to members.
//
// 2026-11-20: a spec that was edited after its approval is held back, even if no approval was required. Rejected:
// treating it as not approved, because the edit would then go unnoticed.
//
// 2026-11-20: the keys that an approval covers are listed (contentKeys). Rejected: covering all keys except those known
// to be bookkeeping, because each new bookkeeping key would void existing approvals.
//
// 2026-11-20: an unknown type is kept and treated like code. Rejected: failing the parse, because one unknown word
// would hide a spec from every list.
//
// 2026-11-20: a failed spec is not ready. Rejected: starting it again automatically, because a loop could spend money
// on the same failure again and again; `chant work ID` retries it.
package spec
