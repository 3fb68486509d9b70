// Package launch starts agents, with work or with a question, follows their output, and records what they use.
//
// # Rules
//
//   - What an agent uses is journaled as it reports it, so that it counts no matter how the agent or its run ends.
//   - Every prompt about a spec, for work or with a question, has the rules of the project.
//   - The surroundings of the run are recorded before and after an agent works.
//
// # Decisions
//
// 2026-11-28: of thousands of events that say something about a session, the journal has fewer and fewer. Rejected: all of them:
// each takes 10 ms, and every command reads the journal, of which an agent wrote 8 MB in two minutes.
//
// 2026-11-20: agents that only answer questions (judges, those that split a spec) share one journal, which belongs to
// no spec. Rejected: the journal of the spec in question, where they would look like attempts at it.
package launch
