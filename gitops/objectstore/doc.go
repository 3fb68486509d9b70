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
//   - What is read has the content of its name. Before git itself writes files or merges, Secure has put what it reads into
//     packs.
//
// # Decisions
//
//   - 2026-11-30: objects are put into packs before git reads them for a worktree or a merge. An agent, which may write the
//     files of objects, could exchange one for the moment of that reading: git believes the name of a file, and
//     what was checked before said nothing about that moment. Rejected: checking again afterwards, since what was read
//     meanwhile is not known; objects of an agent in a folder of its own (GIT_OBJECT_DIRECTORY), which other repositories
//     that its tools make would use as well; "git repack", which takes the content of such a file without comparing it
//     with its name; and the encoder of go-git v5.19.3 for packs, which knows only SHA-1.
//   - 2026-11-20: go-git's object store is used without git.Open, whose check of
//     extensions refuses healthy repositories (worktreeConfig, sparse checkouts).
//     Rejected: the slower binary reader for all of them.
//   - 2026-11-23: objects with a file of their own are read without go-git, which would wait for a pipe in the place of
//     the file, and reads one of any size (v5.19.3).
package objectstore
