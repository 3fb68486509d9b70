// Package lockfile provides the locks that keep two processes apart: a lock file that says who
// holds it, a line in which processes wait first come, first served, and the turns that the
// writers of one repository take.
//
// It never breaks a lock that a live process holds, and it never runs git.
//
// # Rules
//
//   - The kernel's lock on the file is the lock, and it ends with its process. The text in the
//     file only shows people, and a recovery, who the holder was.
//   - Taking a turn is a courtesy: a process that does not get it in time works without it. What
//     a turn protects must be safe without it.
//
// # Decisions
//
//   - 2026-11-30: adding worktrees takes no turn. Rejected: the turns of adding and pruning, as before, since chant no longer
//     prunes (gitops/worktrees.go). For prunes by hand a pruned add is tried again.
//   - 2026-11-23: this package has no part of a repository in it, and callers import it directly.
//     Rejected: the names of its types and functions again in gitops, a second way to the same
//     thing.
//   - 2026-11-23: a holder writes its role and the spec that it is about beside the text for people, and only these
//     decide whether others wait for it. Rejected: reading the first word of the text, as before, which a changed
//     wording would break. Where an older version has written neither, the caller may still read the text.
package lockfile
