// Package fileset decides which files an entry of a spec matches. An entry is a path, a folder or a glob, as in
// target_files, tracks and protect. The package compares entries with paths, with each other and with the files of a
// commit, and computes a digest of the content that an entry matches. It reads no files: callers pass in those of a
// commit.
//
// # Rules
//
//   - Match is the only place that decides whether an entry matches a path. Work, verify, drift and lint all call it.
//   - An entry matches files below .chant only if it begins with .chant, and never the spec's own file: a changed
//     status is not a change of what the spec describes.
//   - Content has drifted if it matches neither its state at completion nor its state after landing.
//
// # Decisions
//
// 2026-11-23: entries and digests are a package below the specs, because Fields contains digests. Rejected: a package
// above the specs, because it would need a second type for the digests in the front matter.
package fileset
