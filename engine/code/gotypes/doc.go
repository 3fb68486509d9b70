// Package gotypes finds out what names in the Go files of a worktree mean, with the type checker of the standard library.
//
// # Rules
//
//   - It downloads nothing, writes nothing into the repository and runs nothing from it. The one process that it starts is
//     go list, without cgo, with the flags of this package alone, and in a group that ends with the context.
//   - Files are read as they are indexed. What go reads besides, such as generated files that git ignores, is listed
//     with its stamp, so that the facts are not used after it has changed.
//   - A name that cannot be resolved is reported as unknown. An error in one place costs nothing elsewhere, and a module
//     that cannot be loaded at all is a notice.
//   - Bodies of functions are checked in the modules of the worktree only. Of the other packages, those are parsed whose
//     names occur in a declaration that is needed.
//   - What a test adds to its package is checked as the test sees it; everything else as other packages see it.
//   - A type implements an interface of the worktree or an exported one of a package that was needed. Of generic types,
//     the instances are compared that the code names.
//   - A call of a method of an interface uses that method. What it may run is listed apart, by the interface of the value.
//
// # Decisions
//
// 2026-11-29: a loader of our own, measured again. Rejected: golang.org/x/tools/go/packages v0.52.0 with GOPACKAGESDRIVER=off:
// to check this repository with its tests from source it takes 24 s of CPU time and 2.8 GB of memory, where this takes 4 s and
// 410 MB; with export data it compiles all packages first, which had not ended after 300 s of a busy machine.
//
// 2026-11-24: go list says which files belong to which package. Rejected: reading go.mod, go.work and vendor ourselves,
// since what is not quite like go is wrong.
//
// 2026-11-24: all modules are checked, and the facts are stored under the contents of all files. Rejected: only the
// packages that a question is about with their importers. Most questions reach most packages, and checking this
// repository with all tests takes 4 s of CPU time and 410 MB once, of which listing and parsing are two thirds.
//
// 2026-11-24: files for other systems and files with cgo are left to names. Rejected: checking for each system (a
// name would mean several things), and cgo, whose C half is not Go.
package gotypes
