// Package objectstore reads the objects of a repository by their hashes, and writes blobs and trees.
//
// It never moves a ref and knows none: nothing that it writes can be reached until a caller
// commits it.
//
// # Rules
//
//   - Reads start no process. Where the in-process reader cannot know an object (alternates,
//     partial clones, SHA-256), one long-lived "git cat-file --batch" answers instead.
//   - What is written is what git would write: through the filters of a path, with its modes.
//     Where that needs git, git writes it.
//
// # Decisions
//
//   - 2026-11-20: go-git's object store is used without git.Open, whose check of
//     extensions refuses healthy repositories (worktreeConfig, sparse checkouts).
//     Rejected: the slower binary reader for all of them.
//   - 2026-11-23: objects with a file of their own are read without go-git, which would wait for a pipe in the place of
//     the file, and reads one of any size (v5.19.3).
package objectstore
