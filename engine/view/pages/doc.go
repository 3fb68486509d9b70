// Package pages reads what web pages show of specs: texts, criteria with evidence, what work changed, and history. It
// changes nothing and renders nothing.
//
// # Rules
//
//   - Collect reads everything once: the files of specs, the notes with evidence, the commits. Its cost does not grow
//     with the square of the number of specs, and it starts a handful of processes of git for all specs together.
//   - What Collect returns depends only on the repository: not on the clock, and not on journals and logs, which only
//     this machine has. The same commits and files give the same result.
//   - Archived specs are included. A file that cannot be read is listed with its error and hides no other.
//
// # Decisions
//
// 2026-11-26: what a run changed is the difference that its landing made on the target; without a landing, the
// difference between the commits that started and completed it. Rejected: only the commits listed in the front matter,
// which a rebase or a squash replaces; they are the last resort, for specs that other programs completed.
package pages
