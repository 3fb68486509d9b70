// Package rootdir reads, writes and removes files in folders that an agent, or what it starts, can write to: the worktree of
// a run and its git folder, check trees, caches, folders for temporary files, the branches of runs.
//
// Nothing here leaves the folder that it was given, whatever links are in it, at any part of a path, and whenever they are
// put there. It never waits for the other end of a pipe, and it never writes into a file that is there: a new one takes its
// place, so that other names of the old one keep their content.
//
// # Rules
//
//   - What such a folder holds is reached from here, or by an os.Root that is opened here. e2e/layersconduct_test.go lists the
//     packages that work on such folders and their exceptions.
//   - The folder itself must not be a link. Folders above it are those of the person.
//
// # Decisions
//
// 2026-11-28: os.Root. Rejected: looking at each part of a path before it is used, which a process that is faster makes
// worthless; and openat2, which only Linux has.
package rootdir
