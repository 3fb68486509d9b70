// Package corpus knows which files of a worktree are searched, and whether they are still as they were.
//
// # Rules
//
//   - The files are those of git's own list: tracked and untracked ones, never ignored ones. The same is asked of git about
//     a folder that is in no repository (gitops.OpenApart). Submodules that are checked out belong to it. Symbolic links and
//     other repositories inside do not.
//   - A manifest says for each path which blob stands there, by the stamp of the file (package stamp). A file whose stamp
//     has not changed is not read, and git is not asked if no stamp has: neither of a file, nor of a folder, nor of git's
//     index and ignore rules.
//   - If only files and folders have changed, a manifest is brought up to date without a list from git (Update). It says
//     the same as one that is made anew (TestUpdate).
//   - Some files are left out, each with a reason that users can see: files over a size, binary, generated, minified and
//     vendored ones, and what the settings exclude. What the settings include is never left out but for its size and if
//     it is binary.
//   - The bytes of a changed file are hashed as git would without filters, so that a commit of it changes nothing. If
//     filters or line ends make an unchanged file differ from its blob, the blob counts.
//
// # Decisions
//
// 2026-11-24: git's list of all files is asked for only if its index or its rules have changed, or if a new folder is
// there. Rejected: the list after each change, which took 300 of 600 ms for one changed file of 11,000.
//
// 2026-11-23: stamps of files and folders are compared before each answer. Rejected: a watcher, which loses events when a
// branch is switched and costs a process for each worktree; and asking git each time, which takes three times as long.
package corpus
