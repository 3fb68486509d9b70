// Package assist searches code with the help of the project's agent, which adds words to a query (Expand) and sums up
// what was found (Synthesize). Package code searches.
//
// # Rules
//
//   - Both parts are extras. Where the agent cannot be asked, or answers with something else, the search is what it
//     would be without it, and a notice says why.
//   - The agent is asked in an empty folder outside of the repository, in a mode that only reads where its CLI has one.
//     What it sees is the query and the pieces that were found, with secrets taken out. These are data: nothing that the
//     agent answers is run, and a place counts only if it is in a file that was found.
//   - An agent that asks counts toward the limits of the settings (package usage), and has LimitExpand or LimitSummary
//     to answer.
//   - Agents of a run are not helped: they would start other agents. They can think of other words themselves.
//
// # Decisions
//
// 2026-11-24: the agent CLI of the project answers. Rejected: an endpoint of its own in the settings, which users would
// have to set up, pay and limit a second time.
//
// 2026-11-24: a summary and further questions come from one answer. Rejected: two questions, which take twice as long.
//
// 2026-11-24: each question has a numbered slot with a lock. Whoever takes the slot stops the agent and removes the
// folder that a killed process has left in it. Rejected: folders with random names, which would never be removed.
package assist
