// Package checktree knows where check trees are, the worktrees in which criteria run: outside the repository and every
// other worktree, in the user's cache folder or another one without files of a project above it. After a crash it finds
// the trees again, and the agents that were asked questions in them.
//
// It does not create or fill check trees; engine/run/place does.
package checktree
