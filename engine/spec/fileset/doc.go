// Package fileset answers which files an entry of a spec means: a path, a folder or a glob, as target_files, tracks and
// protect list them. It compares entries with paths, with each other and with the files of a commit, and names the
// content they mean with a digest. It reads nothing: the files of a commit are handed in.
//
// # Rules
//
//   - Match is the one place that decides whether an entry means a path. Work, verify, drift and lint all call it.
//   - An entry means the files below .chant only where it begins there, and never the spec's own file: a changed
//     status is not a change of what the spec describes.
//   - Content has drifted when it is neither what it was at completion nor what it was after landing.
//
// # Decisions
//
// 2026-11-23: entries and digests are a package below the specs, because Fields keeps digests. Rejected: a package
// above, which would need a second type for the digests in the front matter.
package fileset
