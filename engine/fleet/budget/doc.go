// Package budget adds up what the agents of all machines of a fleet have used: on a day, and in a run of many machines.
// Its Counter is a value that they share and that a hub changes for them by comparing the old one; each change is a pure
// function (Rule).
//
// It decides nothing: engine/run/usage compares the sums with the limits of the settings.
//
// # Rules
//
//   - A report is the total of its owner so far, never what was added to it: a report that is repeated, late or
//     overtaken by a later one changes nothing.
//   - A machine changes its own total alone. What its owners before the last one have used stays counted.
//   - Amounts are whole numbers, so that a sum is exact in whatever order it is made.
//   - The day of a fleet begins at midnight UTC by the clock of the queue's server, for every machine.
//
// # Decisions
//
// 2026-11-26: the owner of a total is a clone, for a day, and a process, for a run. Rejected: a total of each agent,
// which has to be marked as ended, and remembered so that a late report does not count it again. The journals of a
// clone have the sum of all its agents, including what an agent has reported at its end only.
//
// 2026-11-26: a day of UTC. Rejected: the day of each machine, with which machines in two time zones, or one whose
// clock is off, would each have a budget of their own around midnight.
package budget
