// Package objectstore reads the objects of a repository by their hashes, and writes blobs, trees and commits.
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
//   - 2026-11-23: files that are in a worktree as they are committed are first stored as they are. If git reads another
//     blob from there when they are staged, the commit is built again. Else git is asked once about the attributes of a
//     path, and again when a file of attributes has changed.
//     Rejected: "git hash-object" for each file, a process for each commit of a spec; and reading attributes here, where
//     the system's own file is not known.
//   - 2026-11-23: objects with a file of their own are read and written without go-git. Rejected: go-git's store for
//     them, which compresses twice as long, and loads the indexes of all packs before it writes.
package objectstore
