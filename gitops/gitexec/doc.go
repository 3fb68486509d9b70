// Package gitexec runs the git binary: one command to its end, or one process that answers
// questions until it is stopped. git.go is the only file of the repository that starts git.
//
// It never runs a shell, never prompts, never leaves a process behind that outlives its
// context, and never removes a lock that another process may hold. It knows no repository:
// the folder and the arguments are the caller's.
//
// # Rules
//
//   - A command gets arguments only. What the environment of a hook says about another
//     repository, index or setting does not reach it; who commits, and how to reach remotes
//     and keys, does.
//   - Git may not look for a repository above the folder in which it runs: an emptied folder
//     is an error, never the repository around it.
//   - A command that takes locks is tried again while another process holds one. The lock
//     itself stays as it is.
//
// # Decisions
//
//   - 2026-11-20: objects are read as they are, whatever refs/replace/ puts in their place.
//     Rejected: git's default, with which what is judged need not be what lands.
//   - 2026-11-20: automatic maintenance is off in our calls. Rejected: a background gc
//     that outlives the command and packs under a run. "gc" itself obeys the user's settings.
//   - 2026-11-27: a command that talks to a remote ends when it prints no progress for 15 seconds, and later for longer if
//     that was too short. Rejected: a limit for the whole command, which is too short for a large clone and too long for
//     a dead connection, which TCP tries again only after as long as it was dead; and settings of each transport.
package gitexec
