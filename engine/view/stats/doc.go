// Package stats computes figures about the work of a project: throughput, lead time, how often the first attempt is
// enough, what agents have used, and which criteria are flaky.
//
// # Rules
//
//   - It is pure: what it computes depends on Facts and a Period only.
//   - What is not known is left out of a figure, and each figure says of how many it is. No number stands for "unknown".
//   - A percentile is the smallest value that at least so many of all values do not exceed (nearest rank). Nothing is
//     interpolated: every duration is that of some spec.
//   - Weeks begin on Monday, in the time zone of the period.
//
// # Decisions
//
// 2026-11-26: a spec counts in the week in which it was completed, if it has landed. Rejected: the time of the landing,
// which is minutes later and is not recorded where people land work themselves.
//
// 2026-11-26: containers do not count, because their members do. Rejected: counting both, which would reward dividing
// work.
//
// 2026-11-26: a change of a criterion from failed to passed between attempts is counted, but apart from changes on the
// same tree and from passed to failed. Rejected: leaving it out, since a criterion that fails now and then looks the same;
// and ranking all alike, since it is what a second attempt is for.
package stats
