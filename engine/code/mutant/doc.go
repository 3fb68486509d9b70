// Package mutant makes wrong versions of changed lines: each differs from a file in one place, still parses, and should be
// noticed by whatever checks the file.
//
// # Rules
//
//   - A mutant is a replacement of bytes. The same file and lines give the same mutants in the same order.
//   - What a language calls its conditions, calls and functions is in tables by kinds of nodes; Go is read by go/ast.
//   - Mutants of languages with static types are made so that most compile: a result of a known type becomes the zero value of
//     that type, and arguments are only swapped if both are parameters of one type.
//   - Lines that log, comment, import or annotate are not mutated, nor are messages of errors, nor tests in a file of code. A
//     number that a function of a shell prints is its result.
//
// # Decisions
//
//   - 2026-11-29: a removed statement of Go stays in the text, in a function that nothing calls or behind "if true". Rejected:
//     deleting it, which leaves variables and imports unused, so that the compiler finds most mutants and the score says
//     nothing of the tests.
//   - 2026-11-29: a negated condition of Go is "!(x)", and emptied error handling is "(x) && false", for the same reason.
//   - 2026-11-30: at most six mutants for a line, those of conditions and operators first. Rejected: all, since a line of data
//     may have hundreds; and three, with which 4 of 18 survivors that Stryker 10.1.1 finds in 130 lines of minimist 1.2.8 were
//     missing, for a tenth fewer runs of the criteria.
//   - 2026-11-30: an equality with a number also becomes ">=". The opposite alone never shows that a branch was written for the
//     one value that a test has: of 12 such results in small projects, 2 are found by nothing else. Rejected: "<=" as well,
//     which changes nothing about counts that are compared with 0.
package mutant
