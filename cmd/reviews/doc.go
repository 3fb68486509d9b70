// Package reviews is the command that walks a person through a spec and the work on it: how it stands and what it has
// cost, each criterion with its evidence, the change of each file, and what the change touches that protects how work
// is judged. It keeps the comments and the decision.
//
// # Rules
//
//   - It asks only on a terminal; in a pipe, and with --plain, it prints the same steps as text.
//   - Nothing is kept until the end: a person who leaves before has left no trace.
//   - Flags do what the dialog does. Where one of them is given, nothing is asked.
package reviews
