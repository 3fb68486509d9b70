// Package nestedrepo finds repositories inside a worktree whose content would be lost with it:
// untracked ones, ignored ones and submodules.
//
// It never changes anything in them.
//
// # Rules
//
//   - What git cannot read counts as something that would be lost.
package nestedrepo
