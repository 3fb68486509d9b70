// Package next is the next step that chant names: an operation of chant with its arguments, a command line of another
// program, a file to edit, or an instruction in words.
//
// Every error, status and finding names its next step with a Step. The engine decides which one it is; the entry points
// show it: the command line as a command, MCP as a call of the tool that offers the operation.
//
// # Rules
//
//   - The zero Step is none.
//   - Forms lists every operation that can be a next step, with its arguments and flags. Tests compare it with the
//     commands that exist and with every Step that the engine makes.
//   - A Step and its text are interchangeable: Parse(s.String()) renders as s does, for every text. Journals and results
//     hold the text.
//
// # Decisions
//
// 2026-11-23: the text form, a command line, belongs to this package, and results and journals hold it. Rejected: an
// object, with which readers of `next` would break and older journals would need a second form; and a text that each
// entry point puts into results before it encodes them, which takes a copy of every result type or a walk over it.
//
// 2026-11-23: a Step has its arguments in a slice and is compared by Equal. Rejected: one encoded string, with which ==
// works and no reader sees what a Step is made of.
package next
