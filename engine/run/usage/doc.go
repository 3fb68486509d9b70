// Package usage adds up what agents have used, in tokens, turns, time and US dollars, and enforces the limits of the
// spec, the command and the day.
//
// # Rules
//
//   - The limits apply to every agent, whatever it is started for: work, conflicts or questions.
//   - The limits of a spec are those it had when its run began, or what a person has set since, never what its agent
//     has written.
//   - In a fleet the limits of the command and the day apply to all machines together. No agent starts while it is
//     unknown what the others have used; those at work continue by what was known last.
//
// # Decisions
//
// 2026-11-20: the sum is read from the journals each time a limit is checked. Rejected: a counter beside them, which
// several processes would write and a killed process would leave wrong.
package usage
