// Package pace decides how fast agents that use one account may be started, by all machines of a fleet together. Its
// State is a value that they share and that a hub changes for them by comparing the old one; each change is a pure function
// (Rule).
//
// It starts nothing and never waits: who asks is told how long to wait before asking again.
//
// # Rules
//
//   - A start is unproven until its agent has reported something or ended without a refusal, or 30 seconds have passed.
//     At first one unproven start is allowed at a time; each proof raises the number by one, so that it doubles in the
//     time that agents need for a first report.
//   - Up to 64, starts come in rounds: the next round begins when those of the last one are proven, or 5 seconds after
//     it.
//   - A refusal by the account's server sets the number back to one, and nothing starts for the time that the server
//     has asked for, or a growing time of up to a minute. How many starts had succeeded in the last minute is then the
//     rate: no more start in a minute, and refused ones count, as they do for some servers.
//   - The rate rises by one after a minute without a refusal in which it was used up. If that is refused, the next
//     attempt to raise it waits three times as long, up to an hour.
//   - A machine asks and reports only about specs that it has taken from the queue.
//   - A state contains no time of a machine's clock. It has ages, and the time of the queue's server at which they were
//     true: every caller gives the time of that server.
//
// # Decisions
//
// 2026-11-26: a start counts for a minute from its proof, or from 5 seconds after it was allowed if that is earlier.
// Rejected: from when it was allowed, as the server counts from the arrival of a request, and a slow request that is
// followed by fast ones would be the first of too many.
//
// 2026-11-26: starts come in rounds. Rejected: a further start for each proof at once. Where a proof takes no longer
// than a refusal, all that a minute allows had been started twice before the first refusal was known.
//
// 2026-11-26: starts that are proven are counted by the second. Rejected: a list of them, which has 1,500 entries with
// 50 slots and agents that take two seconds, and is written with each start.
package pace
