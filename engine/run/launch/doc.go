// Package launch starts agents, at work or with a question, listens to them, and records what they use.
//
// # Rules
//
//   - What an agent uses is journaled as it reports it, so that it counts however the agent or its run ends.
//   - Before and after an agent works, what is around the run is recorded.
//
// # Decisions
//
// 2026-11-20: agents that are only asked (judges, those that split) have one journal
// together, which is no spec's. Rejected: the journal of the spec that they are asked about,
// where they would look like attempts at it.
package launch
