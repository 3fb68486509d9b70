// Package next describes the next step that chant recommends: an operation of chant with its arguments, a command line
// of another program, a file to edit, or an instruction in words.
//
// Every error, status and finding names its next step with a Step. The engine decides which step it is, and the entry
// points display it: the command line as a command, MCP as a call of the tool that offers the operation.
//
// # Rules
//
//   - The zero Step means that there is no next step.
//   - Forms lists every operation that can be a next step, with its arguments and flags. Tests compare it with the
//     commands that exist and with every Step that the engine makes.
//   - A Step and its text are interchangeable: Parse(s.String()) renders as s does, for every text. Journals and
//     results contain the text.
//
// # Decisions
//
// 2026-11-29: results have the next step as an object of its command and the reason, so that scripts find both in one place
// in every result; the command is still a text. Rejected: `next` as a text, as before, beside which each result had the
// reason under another name, or not at all.
//
// 2026-11-23: the text form, a command line, belongs to this package, and results and journals contain it. Rejected: an
// object, which would break readers of `next` and require a second form for older journals; and a text that each entry
// point writes into results before it encodes them, which requires a copy of every result type or a walk over it.
//
// 2026-11-23: a Step has its arguments in a slice and is compared by Equal. Rejected: one encoded string, which could
// be compared by == but would hide what a Step consists of.
package next
