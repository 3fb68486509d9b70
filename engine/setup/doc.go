// Package setup prepares a repository: Init, the files that agent CLIs read, the demo, and the check of the settings.
//
// Only CheckConfig contacts servers, to find out whether they answer.
//
// # Decisions
//
// 2026-11-30: Init writes rules only if it is asked to, and gives a command only to linters that are installed. Rejected: writing
// them always, since a linter that fails on old code, or is missing on a machine, would fail every spec from then on.
package setup
