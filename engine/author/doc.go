// Package author writes specs: Add, Update, Edit, Check, Archive, Derive, Split and prompts, and the merge driver for
// spec files.
//
// # Rules
//
//   - Update cannot weaken the criteria of a spec that was started, and text that it appends cannot become a criterion;
//     a pending spec may be rewritten freely. An update to completed is judged by the criteria as they were before the
//     call, and nothing is written unless they hold.
//   - Inside its own run, a spec is changed only by Update and Check, in the run's copy.
//
// # Decisions
//
// 2026-11-20: Derive adds missing keys and never changes existing ones. Rejected: changing those that derived_fields
// names, because a person may have corrected them by hand.
//
// 2026-11-23: boxes of a template are unticked in the spec that is added from it, and a description replaces the title
// of the template. Rejected: ticked boxes, which would claim work that was not done; and a description below the title,
// because lists show the title alone, which is often the same for all specs of a template.
package author
