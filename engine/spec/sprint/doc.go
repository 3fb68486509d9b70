// Package sprint has the rules of sprints: the file of a sprint, the state that it is in, its reports and the ranking of
// the backlog.
//
// It is pure: it reads no file, no clock and no repository. Callers pass bytes, the time and the tasks of a sprint.
//
// # Rules
//
//   - A sprint is the file .chant/sprints/<n>.md: the plan and what happened in front matter, notes as the text below.
//     Which tasks belong to it is recorded in the specs (key sprints) and nowhere else; order only ranks them.
//   - All times are UTC. A date without a time is midnight UTC, and a day of a burndown is a day in UTC.
//   - A value that cannot be read as a time or a length is a warning of the sprint, never an error: the rest of the
//     sprint still counts.
//   - A complete sprint has an end (closed_at). One that has not is overdue after its computed end, active once it was
//     started, and pending before. The computed end is ends_at, else the start plus the length.
//   - A task counts to the points or to the hours of a sprint, never to both.
//   - The state and the reports have the names and forms of lotar's, since its clients read them.
//
// # Decisions
//
// 2026-11-23: an edit writes only the keys whose values differ, and keys in the plan that chant does not know stay.
// Rejected: writing the file anew from the struct, which loses what another version of chant or a person wrote there.
// Comments inside of the plan are lost when the plan is edited; comments elsewhere stay.
//
// 2026-11-23: a burndown has at most 3,660 days. Rejected: any length, with which one mistyped year makes a report of
// millions of days.
//
// 2026-11-23: sprints that have not ended do not count in a velocity, and the report says that it left some out
// (skipped_incomplete), pending ones included. Rejected: to mention only active ones, with which a reader cannot see why
// a sprint is missing.
//
// 2026-11-23: the backlog is ranked: by a rank that a person gave, by priority, by due date, by age, by key. Rejected:
// lotar's order by key as text, which puts X-10 before X-2 and says nothing about what comes next.
package sprint
