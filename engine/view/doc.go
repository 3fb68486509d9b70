// Package view answers questions about specs: List, Show, Search, Status, Log, Diagnose, Deps, Export. It changes nothing.
//
// # Rules
//
//   - Listing, showing and searching start no process. Diagnose asks git.
//
// # Decisions
//
// 2026-11-20: replies of lists, findings and logs are bounded, and what is left out is counted or can be read on. Rejected:
// returning everything, which no agent's memory holds.
//
// 2026-11-20: findings and dependencies are bounded to 100 for --json and tools alike, and people's text has all. Rejected:
// a bound in the tool alone, which would make its result another than the command's.
package view
