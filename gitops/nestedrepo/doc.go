// Package nestedrepo finds repositories inside a worktree whose content would be lost with it:
// untracked ones, ignored ones and submodules.
//
// It never changes anything in them.
//
// # Rules
//
//   - What cannot be read counts as something that would be lost.
//   - No git runs in a nested repository: whether something would be lost is read from its files. Git runs in the worktree
//     around it, and in home.
//
// # Decisions
//
// 2026-11-28: commits, refs and the index of a nested repository are read with go-git. Rejected: git with settings that turn
// off what runs programs, since each version of git has more of them than one can list, and a partial clone fetches what is
// missing by a program of its remote; and keeping every nested repository, since package managers leave clones in ignored
// folders that can be made again.
package nestedrepo
