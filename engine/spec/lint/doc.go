// Package lint holds the rules of lint, which check one spec that was already read; package engine/verify/linter is the
// operation that reads specs and files and applies these rules. Package lint also scores how well a spec can be worked.
// It is pure: it uses no file, process or clock. Callers pass in functions for what is outside of the specs.
//
// # Rules
//
//   - A rule has one name, in snake_case; the settings of a project, SARIF and JSON all use it. Rules lists all of
//     them.
//   - Only parsed documents are checked: text in a code block is not a criterion and mentions no spec.
//   - A finding is an error if the spec cannot be right, and a warning if it may be. Advice about splitting a spec is
//     given only while it is open: a completed or cancelled spec gets none.
//   - A rule stops work (Rule.Stops) only if work could not succeed: the spec's name is invalid, it waits for something
//     that will never happen, its approval contradicts itself, a key that the project requires is missing, or a check
//     cannot be run. It does not stop work if the project made it a warning. No other rule stops work, even if the
//     project made it an error.
//   - A fix loses nothing: it changes the spelling and never the meaning of a spec.
//
// # Decisions
//
// 2026-11-20: a spec in progress gets one warning for all its unticked boxes, and only while no run is at work on it.
// Rejected: one warning for each box, because these are noise during the work that ticks them.
//
// 2026-11-20: a mention of another spec is not reported as coupling if the front matter names that spec too. Rejected:
// reporting every mention, because it would discourage explaining why a spec waits for another one.
//
// 2026-11-20: only short criteria in ASCII letters are checked for a verb. Rejected: checking all criteria, because no
// list of verbs covers every language and subject, and in a long criterion the verb is more likely missing in the list.
//
// 2026-11-20: the scores are calibrated on specs that real agents finished at their first attempt: none of those is
// red. Therefore a spec without criteria is yellow, and only a spec that is larger than any of those, or that has no
// text, is red. Rejected: the thresholds of the older chant, by which half of that finished work was red.
package lint
