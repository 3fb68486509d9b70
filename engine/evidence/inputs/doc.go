// Package inputs derives the files that a command depends on from the files of a tree: the packages of Go that it names and
// what these import, or the packages of a workspace of npm, pnpm or yarn and those that they depend on.
//
// # Rules
//
//   - Nothing is run: an agent may have written all of the tree.
//   - A command that does more than start one of these tools, and a flag that is not known, have no derived inputs. Nor
//     has a test that visibly reads other folders or starts programs. Then every file is an input.
//   - What changes which files these are, is an input as well: manifests, lock files, and files that a pattern would find.
//
// # Decisions
//
// 2026-11-30: imports are read from the sources, with all build constraints at once, which are more files than any build
// has. Rejected: "go list -deps -test -json" behind the wall, which needs the check tree that inputs save, the packages of other
// modules and their network; and the index of the code (engine/code), which knows names but not modules.
package inputs
