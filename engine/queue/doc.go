// Package queue works many specs: WorkAll, WorkStart in the background, and Watch. Which run starts next is decided by
// engine/schedule; what one run does, by engine/work.
//
// # Rules
//
//   - Each spec is taken as if it were the only one: its own lock, its own run. What another process has is passed over,
//     and that is not a failure.
//
// # Decisions
//
// 2026-11-20: many specs that are named run one at a time unless a width is given, and only --chain stops at a failure.
// Rejected: an error that asks for one of the two, as the older chant has it, since the meaning is plain.
package queue
