// Package shape holds YAML against the Go type that is to read it, and tells of every
// key that means nothing and every value that does not fit, where decoding ends at the
// first. It is pure: it opens, fetches and starts nothing.
//
// # Rules
//
//   - What is told has a line, and the name of its key from the top, with dots.
//   - A value is judged by its own UnmarshalYAML where it has one: nothing is said twice
//     about what a value may be.
//   - What is wrong is taken out of the tree that was given, so that the rest of it can
//     be decoded.
//
// # Decisions
//
// 2026-11-20: the Go type is the schema. Rejected: a schema beside it, in JSON Schema or
// otherwise, which would agree with what is read until someone forgets it.
package shape
