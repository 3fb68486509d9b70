// Package touched finds what a change of commits touches that decides how later work is made and judged: settings,
// prompts, providers, templates, schemas, protected files, and what other specs require.
//
// It reads commits only, so that a landing, a CI job and a fresh clone find the same. It decides nothing: the same
// change is forbidden in a run and an ordinary commit of a person.
//
// # Decisions
//
// 2026-11-26: everything else below .chant counts as a setting. Rejected: ignoring it, since what chant reads there
// grows with every version.
package touched
