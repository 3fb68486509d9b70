// Package gitops reads and changes a git repository: files at a commit, commits of
// single paths, worktrees, merges, notes, and the lock files that keep two runs apart.
//
// It never fetches or pushes, never runs a shell, never prompts, never removes a lock
// that another process may hold, and never writes a ref, an index or a working tree
// except through the git binary. It knows nothing of specs.
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
//   - 2026-11-20: automatic maintenance is off in our calls. Refused: a background gc
//     that outlives the command and packs under a run.
//   - 2026-11-20: hooks of "git commit" do not run for the commits made here; they would
//     run once for every change of a spec's state. Refused: "git commit --only".
package gitops
