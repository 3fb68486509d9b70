// Package wizard asks a person at the terminal for what a command line leaves out, and then says which command line would
// have done the same.
//
// It decides nothing about specs and changes nothing: what it returns is the input of the operation that the command runs.
//
// # Rules
//
//   - It asks only if both input and error output are terminals, and neither --json nor --quiet is given: scripts and
//     agents get the error that they got before.
//   - Nothing is written to standard output.
//   - On a terminal without cursor control (TERM=dumb), and for screen readers (ACCESSIBLE is set), it asks one question
//     after the other in plain lines.
//   - Esc and Ctrl-C end it without an effect.
//
// # Decisions
//
// 2026-11-26: init asks only in a repository that is not a project. Rejected: asking again with the settings as answers,
// since a second init, which adds what is missing, would have to be left by Ctrl-C.
//
// 2026-11-26: export asks only if standard output is a terminal too. Rejected: as the others do, since export without
// flags has a meaning, and a person who redirects its output has said where it goes.
//
// 2026-11-26: huh. Rejected: questions by line alone, as for the variables of templates, since specs to depend on are
// searched, and several criteria are chosen.
package wizard
