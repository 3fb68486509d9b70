// Package gitops reads and changes a git repository: files at a commit, commits of single paths,
// worktrees, merges and notes. Callers see the repository through Repo alone. The files commit…, merge…, worktree… and
// nested… have the methods that make commits and merges, add worktrees, and find repositories inside one; other methods
// are those of the packages below, which state their rules:
//
//	gitops ─> gitindex     the index of a worktree, its status and its lock
//	          gitconfig    git's settings
//	          revision     what a revision names, history, differences
//	          objectstore  blobs, trees and commits by hash
//	          refstore     refs and HEADs
//	          layout       where a repository is and how it is stored
//	          lockfile     locks between processes (callers use it directly)
//	          gitexec      running git
//
// Imports point downward. What needs several of them, or nothing but one call of git, is written here.
//
// The packages never push, fetch a ref only by FetchRef, never run a shell, never prompt, never
// remove a lock that another process may hold (BreakLock does, where its caller knows that the
// holder is dead), and never write a ref, an index or a working tree except through the git
// binary. They know nothing of specs.
//
// # Rules
//
//   - The git binary is the authority for every write that others can see and for
//     everything that must respect configuration (filters, signing, identity, ignore
//     rules). In process, only objects are written: trees that no ref points to yet.
//   - Reads of refs and objects start no process, wherever the format of the repository allows.
//   - A ref moves only against its expected old value. What moved meanwhile is met
//     with a rebuild on the new tip, never with force.
//   - A command meant for a linked worktree runs only after that folder proved to be
//     that worktree, and git may not look above it: an emptied folder is an error,
//     never the home repository.
//   - The index and files of a person stay as they are, except the entries of the very
//     paths that were committed.
//
// # Decisions
//
//   - 2026-11-29: Repo embeds its parts, and the types and errors that callers name are aliases of those below. Rejected:
//     one short method of Repo for each of theirs, as before, which was 600 lines that only passed calls on; and letting
//     callers import the parts, which would tie them to how the work is divided.
package gitops
