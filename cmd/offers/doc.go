// Package offers completes the values of flags for a shell.
//
// It decides nothing: the words are those that operations return, and a value that is not among them is not refused here.
//
// # Rules
//
//   - Each flag that takes a text either offers values, or has a reason in the table why it cannot. A test walks all commands.
//   - A flag whose help lists its values behind "one of" offers exactly these.
//   - Outside of a project nothing is offered, and nothing is reported: a shell would print it into the line.
//   - Nothing is changed, also by commands that make a project where there is none.
//
// # Decisions
//
// 2026-11-26: one table by the names of flags, with exceptions by command. Rejected: a call beside each flag, which leaves
// out the next flag without anybody noticing.
package offers
