// Package code answers questions about the code of a worktree: it indexes files, searches code and documentation, and
// follows references between definitions.
package code
