// Package console is what every command shares: the streams, the flags that all of them have,
// how a project is opened, how an operation is run, and how results, progress and errors are
// printed.
//
// It knows no command. A family of commands is a package beside it (cmd/checks, cmd/runs), or
// cmd itself; each gives newRoot its commands as functions of an *App.
//
// # Rules
//
//   - Results go to stdout, everything else to stderr; with --json stdout has the Result of the
//     operation alone.
//   - The project is opened by a command that needs it, so that help works anywhere.
//
// # Decisions
//
// 2026-11-20: with --json a failure is a JSON object on stderr. Rejected: putting it on stdout,
// where a script would have to distinguish it from a result.
//
// 2026-11-22: what commands print is made printable where it leaves the program, on a
// pipe and in a file of "chant export" as on a terminal. Rejected: doing so in each
// command, since one that forgot it gave a file or an agent the terminal; and doing so on
// a terminal only, since what is piped is often shown later. Those who need the bytes of a
// log ask for them with "chant log --raw", which a terminal does not get.
//
// 2026-11-23: a question is answered with a line, y or n. Rejected: the forms of charm.land/huh, which were used for
// such questions alone. They contain text fields, and these look for four clipboard programs in each folder of PATH
// whenever chant starts.
//
// 2026-11-29: --json is written by encoding/json in one piece. Rejected: writing long lists element by element on all cores,
// as before, which was slower below 1,000 elements and no faster at 10,000 specs (134 ms for a list of 1.9 MB, 181 before).
package console
