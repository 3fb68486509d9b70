// Package versions merges versions of one spec file: two sides that began as the same file (Merge, used by the merge
// driver that chant sets up in git), and an edit of one copy that is applied to another copy (CarryEdit,
// CarryHomeEdit). Everything here is pure: callers pass in the function that merges the lines of bodies (MergeBody).
//
// # Rules
//
//   - What only one side changed is taken from that side byte for byte, including what it removed.
//   - What both sides changed is joined: sets item by item, mappings key by key. Of two statuses, the one that rank
//     puts higher wins, and the keys that follow the status are taken from the same side. The decision in an approval
//     is taken from one side as a whole, or is a conflict.
//   - A comment or a spelling that one side added is kept, or it is a conflict.
//   - Remarks that both sides added to the discussion of an approval, and comments of reviews, are never a conflict.
//   - The notes of chant (the status and the keys that follow it, reason, approval and boxes) are not part of an edit.
//
// # Decisions
//
// 2026-11-23: merging is a package above the specs. It reads the table of keys (spec.KeyTable), and only store, run and
// the operations use it. Rejected: leaving it in package spec, which would have 4,700 lines.
package versions
