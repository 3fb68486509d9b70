// Package syntax divides files of programming languages into chunks, by the grammars of tree-sitter.
//
// # Rules
//
//   - One walker reads all languages. What a language calls its declarations, comments, calls and imports is a table.
//   - A function is a chunk with all that is declared within it. A type or namespace is a chunk up to its first member
//     that is a chunk; what is left between chunks is a chunk of kind File at the top level and Variable in a type.
//   - Code with faults is read as far as the grammar understands it. What exceeds the limits of package grammars is
//     ErrTooHard, and nothing else fails.
//
// # Decisions
//
//   - 2026-11-23: The called name is read from the text of the expression before the arguments: its last word, and the
//     word before that. Rejected: a rule for each kind of member expression in each grammar, fourteen spellings of a dot.
//   - 2026-11-23: Every comment directly above a declaration is its documentation. Rejected: only comments with the marks
//     of a documentation tool; most projects have none.
//   - 2026-11-24: Macros and constants that a grammar does not know are hidden from it: prepare.go replaces them by spaces
//     before the parse. Rejected: reading them from the nodes of faults, which swallow the class that follows.
//   - 2026-11-24: The functions of an object, and those within a function that is called at once, are chunks; most libraries
//     of JavaScript consist of them. Rejected: only declarations, which left whole files as one chunk without a name.
package syntax
