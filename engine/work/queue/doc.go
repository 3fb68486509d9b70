// Package queue works many specs: WorkAll, WorkStart in the background, and Watch. engine/spec/schedule decides which run
// starts next, and engine/work what one run does.
//
// # Rules
//
//   - Each spec is worked as if it were the only one, with its own lock and its own run. A spec that another process
//     holds is skipped, which is not a failure.
//
// # Decisions
//
// 2026-11-20: many specs that are named run one at a time unless a width is given, and only --chain stops at a failure.
// Rejected: an error that asks for --parallel or --chain, as in the older chant, because the meaning is plain.
package queue
