// Package screen is what commands know about the terminal that a person reads: its size, whether it has colours, how
// columns fit its width, and the pager for what is longer than it.
//
// It knows no command and no spec. It starts one process, the pager.
//
// # Rules
//
//   - The zero Canvas is a pipe: text passes through it as it is, without styles, and its columns are as wide as their
//     widest cell.
//   - A style is never the only carrier of a meaning: without styles, the words are the same.
//   - Styles are the sequences that this package lists. Writer passes these on and spells out everything else that a
//     terminal would execute, so text of a file or an agent can at most be coloured.
//   - A pager that ends early is no error: its reader has seen enough. The exit code is that of the command.
//
// # Decisions
//
// 2026-11-26: styles are the eight colours of the terminal's own palette, which its owner has made readable. Rejected:
// colours of our own by lipgloss v2.0.6, which need to know the background, and to ask a terminal for it takes time.
//
// 2026-11-26: without colours (NO_COLOR, TERM=dumb, a pipe) lists are exactly what scripts get. Rejected: cutting titles
// there too, since a person who turns colours off may also be one who has lines read aloud.
//
// 2026-11-26: output is collected until it is longer than the screen, and only then a pager starts. Rejected: starting it
// always and leaving it to "less -F", since other pagers clear the screen for one line.
package screen
