// Package versions merges versions of one spec file: two sides that began as the same file (Merge, the merge driver of
// git) and an edit of one copy that is applied to another copy (CarryEdit, CarryHomeEdit). Everything here is pure: the
// line merge of two bodies is handed in as a MergeBody.
//
// # Rules
//
//   - What only one side changed is taken byte for byte, removals included.
//   - Both changed: sets are joined item by item, mappings key by key; of two statuses the one further along wins,
//     together with what was noted with it. An approval is taken from one side or is a conflict.
//   - A comment or a spelling that one side added is kept or is a conflict.
//   - Remarks that both sides added to the discussion of an approval are never a conflict.
//   - What chant itself notes (the status and what goes with it, approvals, boxes) is not part of an edit.
//
// # Decisions
//
// 2026-11-23: merging is a package above the specs; it reads the table of keys (spec.KeyTable) and nothing reads it but
// store, run and the operations. Rejected: leaving it in package spec, which would have 4,700 lines.
package versions
