// Package board is the board of a project as a value: messages in, frames out. It shows the specs
// in columns, or in a list where there is no room for columns, and opens one of them into tabs.
//
// It reads no file and no clock and starts nothing. What it wants done it returns as commands,
// which call the operations of a Desk; their results come back as messages. So a test drives it
// without a terminal, a project or time.
//
// # Rules
//
//   - A frame has as many lines as the terminal, and none is wider.
//   - Only the rows that are visible are drawn; what a key does not change is not computed again.
//   - The selection follows its spec, wherever an update or a filter moves it.
//   - What cannot be taken back by the same key says what it will do and how to undo it, and asks.
//   - No action is implemented here: a Desk calls what the command line calls.
//
// # Decisions
//
//   - 2026-11-26: the board owns no ticker; it is redrawn for keys and changes alone. Rejected: an
//     animation of running specs, which would draw ten frames a second of an idle board.
//
//   - 2026-11-26: an agent that prints nothing for a while stays among those that run, with a note.
//     Rejected: moving it to those that need a person, and back with its next line.
package board
