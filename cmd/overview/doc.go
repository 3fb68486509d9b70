// Package overview contains the commands about all specs together: `chant dag`, `chant activity` and `chant stats`.
//
// # Rules
//
//   - On a terminal, lines fit its width, times are relative and drawings have line characters. In a pipe, in a file and
//     with TERM=dumb, times are those of RFC 3339, drawings are ASCII and nothing is cut.
package overview
