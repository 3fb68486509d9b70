// Package tasklist reads the task lists of spec-kit, OpenSpec and Kiro: tasks.md, with a box for each task and a heading for
// each phase or group.
//
// It is pure: callers pass the bytes of a file and write those that they get back.
//
// # Rules
//
//   - A task is a list item with a box, as package markdown finds it: bulleted or numbered, nested or not, and not in
//     code or in an HTML comment.
//   - A line is read as "ID [P] [US1] description", also with (P) as cc-sdd writes it. All but the description may be missing, and the markers may come in
//     any order. An ID is T001, CHK001, 1.1 or "1." and is compared without regard to case; T1 is not T10 or T001.
//   - Every task has a key that no other task of the list has: its ID, or "line 12" if it has none or an earlier task
//     has the same one.
//   - A phase is a heading "Phase 3: ..." or "1. ...", or another heading of that level with tasks below it. Deeper
//     headings divide a phase without being one. A document without numbered headings has its phases on the highest
//     level on which several headings have tasks. Tasks before the first phase belong to none.
//   - Order: where there are user stories, Setup comes first, then Foundational and all that precedes the first
//     story, then the stories beside each other, then the rest with Polish. Another phase between two stories waits for
//     the stories before it, and those after it wait for it. Without stories, the phases follow each other; phases with
//     [P] in their headings run beside their neighbours that have it too.
//   - Within a phase the tasks follow each other. Adjacent tasks marked [P] run beside each other: each waits for what
//     comes before the first of them. A task with tasks below it is finished after those.
//   - "depends on T012, T013", "depends on T012-T014" and "depends on US1" in the text add to this order and never
//     remove from it. What they name and the list lacks changes nothing.
//   - Ticking changes one byte, or none if the box is as wanted.
//
// The format of spec-kit is that of its tasks template, version 1.0; the format of OpenSpec is that of its schema
// "spec-driven".
//
// # Decisions
//
// 2026-11-26: package markdown finds boxes and headings. Rejected: expressions on lines, which also find the examples
// in fences and comments.
//
// 2026-11-26: a [P] task waits for the last task without [P] before it. Rejected: to let it start with its phase. The
// mark says that the task shares no files with its neighbours and needs none of them unfinished; tasks of the phase
// that come earlier and have no mark are what it may need.
//
// 2026-11-26: the number of a phase is a text. Rejected: an int, which cannot hold the "N" of spec-kit's own template,
// or "2.1".
//
// 2026-11-26: dependencies are kept with gates in between, nodes that wait for several tasks. Rejected: an edge for
// each pair, of which two phases with thousands of parallel tasks have millions.
package tasklist
