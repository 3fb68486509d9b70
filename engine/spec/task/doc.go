// Package task holds the rules of tasks: a task is a spec as clients of lotar see it. It contains the values of a task
// (statuses, efforts, dates, references, people, keys) and the settings that they are read by. Everything here is pure:
// it uses no file, process, clock or random source. Callers pass in what they read.
//
// # Rules
//
//   - A value of a list is matched without regard to case, spaces, underscores and hyphens. What is stored and shown
//     is the spelling of the settings.
//   - An empty list, and a list with "*", allows every value.
//   - Statuses of a workspace map to those of chant by position: the first is pending, the last is completed, those
//     in between are in progress. `tasks.statuses` of chant's settings overrides this for the words that it names.
//   - A key is PREFIX-n: the number is what follows the last hyphen, so a prefix may contain hyphens.
//   - Days are days in UTC.
//
// # Decisions
//
// 2026-11-23: the words cancelled, canceled and failed take no part in the positions; they are chant's statuses of that
// name. Rejected: the plain rule of positions, because in a workspace with the statuses Todo, Done, Cancelled the
// cancelled tasks would count as completed.
//
// 2026-11-23: an effort that is a bare number is in points, and a number without a unit after a time is invalid.
// Rejected: reading "1d 2" as a day and two hours, because the same "2" alone would be two points.
//
// 2026-11-23: the name of a weekday is its next day after today, with and without "next". Rejected: today for the name
// of today's weekday, because "today" says that, and "next friday" as the friday of the week
// after, because people disagree about it.
//
// 2026-11-23: status and priority of a branch come only from aliases of the settings. Rejected: built-in words such as
// "wip" or "urgent", because a branch name would change a status that no setting mentions.
package task
