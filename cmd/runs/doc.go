// Package runs has the commands about runs: those that start and watch them, that land, stop and
// undo them, and that show and clean up their worktrees.
//
// It decides nothing: operations do the work, console prints and cmd/tui draws the live view.
package runs
