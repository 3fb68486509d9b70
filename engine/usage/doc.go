// Package usage adds up what agents have used, in tokens, turns, time and US dollars, and holds runs to the limits of the
// spec, the command and the day.
//
// # Rules
//
//   - What agents use is held to the limits wherever they start: at work, at conflicts, with questions.
//   - What an agent may use is as it was when the work began, or as a person has changed it since.
//
// # Decisions
//
// 2026-11-20: the sum is read from the journals whenever a limit asks. Rejected: a counter beside them, which several
// processes write and a killed one leaves wrong.
package usage
