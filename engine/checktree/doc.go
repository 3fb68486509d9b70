// Package checktree knows where the folders lie in which criteria run: outside the repository and every worktree, in the
// user's cache folder or in one that no project's files reach. It finds them again after a crash, with the agents that
// were asked in them.
//
// It makes and fills no such folder; engine/run/place does.
package checktree
