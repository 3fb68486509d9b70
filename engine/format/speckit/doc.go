// Package speckit reads the feature folders of spec-kit: specs/014-library-loans or specs/20260319-143022-library-loans,
// with spec.md, plan.md, tasks.md and checklists.
//
// It is pure: callers pass an [io/fs.FS] whose root is that of the repository. Paths have slashes and begin there. It
// writes nothing: a new feature for a plan is returned as data, and what is ticked, is ticked by package tasklist at the
// offsets returned here.
//
// # Rules
//
//   - The prefix of a folder is its number: digits, or a date and a time, "20260319-143022". The two kinds are never
//     compared with each other: 20260319-143022-x does not have the number 20260319.
//   - Files that are missing say how far a feature is and are not an error: without spec.md it is in phase "specify",
//     without plan.md in "plan", without tasks.md in "tasks", else in "implement".
//   - The spec is read by its structure, and in the forms that its writers use: stories are headings "User Story 1 - T
//     (Priority: P1)" or "US-1: T (P1)", scenarios are items or paragraphs that begin with Given, and items below
//     "Acceptance Scenarios"; success criteria are items "**SC-001**: text" or rows of a table that begin with the ID. Of
//     several with the same ID, the first counts. Code and HTML comments are skipped. The rest is for people to read.
//   - Texts are returned as written, lines joined by a space.
//   - A spec.md whose front matter is broken is a [*chant/markdown.SyntaxError].
//
// The layout is that of spec-kit 1.0; checklist.md and analysis.md, which spec-kit itself does not write, are those of
// the tool rstn.
//
// # Decisions
//
// 2026-11-26: the checklist is checklist.md if there is one, else all files of checklists/. Rejected: one of them only,
// since spec-kit writes the folder and rstn reads the file.
//
// 2026-11-26: a branch leads to a folder by its number, as spec-kit did before it had a pointer file. Rejected: to
// prefer the pointer here; which of the two counts is for callers to decide.
//
// 2026-11-30: a plan is written without Setup and Foundational, since nothing in it says that all other parts need one; a
// part that waits names the stories that it depends on. Rejected: a foundation of what several parts wait for, which would
// hold up the others as well.
//
// 2026-11-26: a pointer to a place outside the repository is an error. Rejected: to follow it, since the file may come
// from another machine or from an agent.
package speckit
