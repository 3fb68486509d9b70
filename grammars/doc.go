// Package grammars parses programming languages by the grammars of tree-sitter, without cgo.
//
// The runtime of tree-sitter and the scanners of the grammars are C code, compiled to WebAssembly and from there to Go
// (package treesitter). The tables and lexers of each grammar are compressed data, read when its language is first used.
// generate.sh makes both; building needs neither a C compiler nor the network.
//
// # Rules
//
//   - A parse works in a memory of its own, which is a slice of bytes. The code cannot leave it: what a faulty scanner
//     does ends in an error.
//   - What a parse may use is limited: bytes of the text, nodes, depth, memory, steps. The steps are counted, so that a
//     text that is too hard for one machine is too hard for all.
//   - All goroutines may call Parse at once. A memory is used again for the same language, unless its parse failed.
//
// # Decisions
//
//   - 2026-11-23: One runtime for all grammars, and the tables of a grammar loaded into its memory at a fixed address. A
//     module for each grammar repeated the runtime fourteen times. Rejected as well: all tables in one memory, 30 MB for
//     each parser.
//   - 2026-11-23: The lexers are tables, made by asking each state of the C code about each character at which it can
//     decide otherwise. Compiled, the 14 lexers were 300,000 lines of Go.
//   - 2026-11-23: The tree is listed in one call, as an array of nodes in preorder. Rejected: a cursor that is moved from
//     Go, several calls for each node.
//   - 2026-11-26: The tree is listed from the subtrees themselves, the tables of lexers advance over ASCII by themselves,
//     what small states have for a symbol is remembered, and a stack without branches is popped in one go: a third less
//     time for JavaScript, and the same trees. Rejected: -O3, and Go's optimization by profiles, which gain nothing.
//   - 2026-11-26: A block that is cleared is cleared as a whole, and the steps of each parse begin at 0. The scanner of Swift
//     keeps its state in a block of 0 bytes; with what an earlier parse had left there, one file in twenty was too hard.
package grammars
