// Package author writes specs: Add, Update, Edit, Check, Archive, Derive, Split and prompts, and the merge driver for spec
// files.
//
// # Rules
//
//   - Update weakens no criterion of a spec that was started, and no text that it appends becomes one; a pending spec may
//     be rewritten freely. Completed is judged by the criteria as they were before the call, and nothing is written unless
//     they hold.
//   - Inside its own run a spec is changed by Update and Check alone, in the run's copy.
//
// # Decisions
//
// 2026-11-20: Derive fills in what is missing and never renews. Rejected: renewing what derived_fields names, for a person
// may have corrected it by hand.
package author
