// Package lint says what is wrong with specs, and scores how well they can be worked.
// It is pure: no file, process or clock is touched; what it has to know of the world is
// handed in as functions.
//
// # Rules
//
//   - A rule has one name, in snake_case; the settings of a project, SARIF and JSON all
//     use it. Rules lists every one of them.
//   - Only documents that were parsed are looked at: what stands in a code block is no
//     criterion and mentions no spec.
//   - An error is what cannot be right. What may be right is a warning, and how a spec
//     might be cut better is said only while there is something to be done: a completed
//     or cancelled spec gets no advice.
//   - A rule stops work (Rule.Stops) only where work could come to nothing good: the spec
//     cannot be named, waits for what never comes, contradicts its own approval, lacks
//     what the project demands, or has a check that cannot be run. It stops no longer
//     where the project made it a warning. No other rule stops work, whatever the project
//     made of it.
//   - A fix loses nothing: it changes spelling, and never what a spec says.
//
// # Decisions
//
// 2026-11-20: a spec in progress gets one warning for all its open boxes, and only while
// no run is at work on it. Rejected: one for each box, which is noise while the work that
// closes them goes on.
//
// 2026-11-20: a mention of another spec is no coupling where the front matter names that
// spec too: then the reader is told. Rejected: any mention, which punishes saying why
// something is waited for.
//
// 2026-11-20: whether a criterion has a verb is asked only of short ones in plain letters.
// Rejected: asking all, because no list of verbs knows every language and trade, and a
// long criterion without a known verb is likelier one that the list lacks.
//
// 2026-11-20: the scores are calibrated on specs that real agents finished at their first
// attempt: none of those is red. Hence a spec without criteria is yellow, and red is what
// is larger than any of them, or says nothing. Rejected: the thresholds of the older chant,
// by which half of that finished work was red.
package lint
