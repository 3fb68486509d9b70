// Package code answers questions about the code of a worktree: it indexes files, searches code and documentation, and
// follows references between definitions.
//
// # Decisions
//
// 2026-11-24: research finds links of Go code by types where go can load it (package gotypes), and stores what it found
// under the contents of all Go files. Any other link is found by names. Rejected: types for each language, as package
// graph explains; checking types while files are indexed, because a search does not need them.
package code
