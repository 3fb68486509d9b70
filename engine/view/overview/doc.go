// Package overview answers questions about all specs together: Dag, Activity, Stats. It changes nothing.
//
// # Rules
//
//   - Dag and Stats read the index and what has changed since; no operation here reads a spec that is active.
//   - Activity visits commits, newest first, until it has enough.
//   - Results are data. What they look like is decided in engine/view/picture, and by entry points.
//
// # Speed
//
// With 10,000 specs and 10,000 commits on two cores (BenchmarkOverview): the graph takes 0.1 s, statistics 0.3 s once the
// index has the history, the newest 50 entries of activity 0.1 s and all of them 0.8 s.
//
// # Decisions
//
// 2026-11-26: archived specs are read for statistics only if no commit says that they were completed, as in projects of the
// older chant. Rejected: reading all of them, which is most of the time in a project with thousands.
package overview
