// Package gitops reads and changes a git repository: files at a commit, commits of
// single paths, worktrees, merges, notes, and the lock files that keep two runs apart.
//
// It never pushes, fetches a ref only by FetchRef, never runs a shell, never prompts, never
// removes a lock that another process may hold (BreakLock does it on the word of its
// caller), and never writes a ref, an index or a working tree except through the git
// binary. It knows nothing of specs.
//
// # Laws
//
//   - The git binary is the authority for every write that others can see and for
//     everything that must respect configuration (filters, signing, identity, ignore
//     rules). In process, only objects are written: trees that no ref points to yet.
//   - Reads of refs and objects start no process. Where the in-process reader cannot
//     know an object (alternates, partial clones, SHA-256), one long-lived
//     "git cat-file --batch" answers instead; where it cannot know the refs
//     (reftable), "git for-each-ref" does.
//   - A ref moves only against its expected old value. What moved meanwhile is met
//     with a rebuild on the new tip, never with force.
//   - A command meant for a linked worktree runs only after that folder proved to be
//     that worktree, and git may not look above it: an emptied folder is an error,
//     never the home repository.
//   - The index and files of a person stay as they are, except the entries of the very
//     paths that were committed.
//   - Those entries follow a commit before its ref moves. Killed at any moment, a commit
//     leaves its own change staged, never its reversal.
//
// # Decisions
//
//   - 2026-11-20: refs are read from their files here, not by go-git, which takes a
//     half-written "x.lock" beside a ref for a ref and fails on an empty one.
//     Refused: retrying go-git's listing until no writer is about.
//   - 2026-11-20: go-git's object store is used without git.Open, whose check of
//     extensions refuses healthy repositories (worktreeConfig, sparse checkouts).
//     Refused: the slower binary reader for all of them.
//   - 2026-11-20: notes are written as trees of our own with a compare-and-swap of the
//     notes ref. Refused: "git notes add", which moves the ref without an old value and
//     loses notes when two writers meet.
//   - 2026-11-20: after a commit, the index entry of a path is set to what the branch
//     holds then, and looked at again afterwards. Refused: setting what this commit
//     wrote, which two commits of one path in quick succession leave behind.
//   - 2026-11-20: a commit stages its paths first, moves the ref second, and where the ref
//     does not move puts the entries back to what the branch holds. It costs one more
//     process for each place in which the branch is checked out. Refused: the ref first,
//     which after a kill or beside a left index.lock keeps the old entries, so that the
//     next plain commit of a person reverts ours; and going on without the index when it
//     is locked, which ends the same way.
//   - 2026-11-20: what a person had staged at a path being committed is not kept, whether
//     the commit is made or not. Refused: noting the old entries and putting those back,
//     which would undo the commit of another writer who came between.
//   - 2026-11-20: the "chant-index-" folder that a killed Snapshot leaves in the git dir of
//     its worktree stays until that worktree goes. Refused: removing it at the next
//     Snapshot, which cannot tell a left folder from that of a Snapshot at work.
//   - 2026-11-20: hooks of "git commit" do not run for the commits made here; they would
//     run once for every change of a spec's state. Refused: "git commit --only".
package gitops
