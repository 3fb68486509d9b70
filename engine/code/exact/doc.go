// Package exact describes what names in Go files mean for certain: the facts that a type checker has found, as research
// reads them and the index stores them.
//
// It is pure: it uses no file, process, clock or database.
//
// # Rules
//
//   - A use leads from a byte of a file to a target, where something is declared. Which pieces of code these are, the
//     reader of the facts finds out.
//   - A name of which the checker does not know what it means is listed as unknown. Nothing is guessed here.
//   - A target outside of the worktree has no path, but a package and a name.
package exact
