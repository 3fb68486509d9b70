// Package graph follows references between definitions: who calls what, what implements what, and how one definition
// reaches another.
//
// It is pure: it uses no file, process, clock or database.
//
// # Rules
//
//   - A node is a definition, or a file for the code outside of definitions. A link leads from the node that uses a
//     name to a definition that the name may mean, with a confidence from 0 to 1.
//   - A name alone may mean several definitions. Those in the same file come first, then those in the same folder, then
//     those that the qualifier fits (a package, a type), then all. If several remain, each gets its share of the
//     confidence, and a link below Least is left out: a name that means everything means nothing.
//   - Tests use what they test, but are not used. A link by name from other code to a test is left out.
//   - Links that a type checker has found (package exact) are exact. They replace those by name for all names that it has
//     resolved. What a call through an interface may run is a link that is not exact, with a share of 0.9.
//   - What is defined outside of the worktree is a node without a line, and is found by its qualified name. Links lead to
//     it only if a question is about it.
//   - Elsewhere, a Go type implements an interface if it has methods of all its names. This is a guess where two interfaces
//     have methods of the same names, so its confidence is below 1.
//   - Links are followed breadth first, each node once, at the least number of hops. Within a hop, nodes are in the order of
//     their confidence, their paths and lines. All results are deterministic.
//
// # Decisions
//
// 2026-11-23: definitions are found by names. Rejected: a type checker for each language, because a repository may not
// build, its dependencies may not be there, and an agent asks while it edits.
//
// 2026-11-24: facts of a type checker are taken where there are any; names remain for the rest. Go's checker is in the
// standard library and reads broken code.
package graph
