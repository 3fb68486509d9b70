// Package refstore reads the refs and HEADs of a repository and moves its refs.
//
// It never moves a ref without its expected old value, and it reads no objects: a ref is a name
// and the hash that it holds.
//
// # Rules
//
//   - Reads start no process. Where refs are not files (reftable), "git for-each-ref" is asked.
//
//   - Only git writes refs. A ref that has another value than expected is ErrChanged, and the
//     caller decides again on the new value.
//
//   - Git never follows a symbolic ref for chant (--no-deref). One among the branches of runs, where agents can write, counts
//     as missing and is removed.
//
// # Decisions
//
//   - 2026-11-28: what an agent leaves among the branches of runs and is no branch, such as folders and locks, is removed by
//     the process that needs the place. Rejected: a folder of refs for each run, which would change the names of all
//     branches; and detached worktrees, with which the branch of a running agent would show nothing.
//   - 2026-11-20: refs are read from their files here, not by go-git, which takes a
//     half-written "x.lock" beside a ref for a ref and fails on an empty one.
//     Rejected: retrying go-git's listing until no writer is about.
package refstore
