// Package specs contains the toolsets of specs and their runs: "specs", which agents get by default, and "review",
// for decisions that are a person's.
//
// It contains rows and, where the contract's reply differs from the result of an operation, a small view or text. It
// decides nothing about specs and reads no arguments.
//
// # Rules
//
//   - A row is a name, a sentence, what it may touch and an operation. Its structured content is the operation's
//     result, which is also what the command line prints as JSON.
//   - Names, parameters and fixed texts are those of the chant MCP contract. Some rows take less than their
//     operation: chant_finalize does not accept changed criteria, which is a person's decision; starts of work and of
//     watches take no limits and labels, and chant_merge no way out of a conflict, which people choose; lists are
//     bounded.
package specs
