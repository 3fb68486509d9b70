// Package template reads spec templates: Markdown files with variables, from which specs are added.
//
// Parse, Missing, Unknown and Fill are pure. Find and All read the folders of templates: `.chant/templates` of the
// project, and below it `chant/templates` in the user's folder for settings (~/.config). Nothing is written here.
//
// # Rules
//
//   - The name of a template is that of its file. A template of the project hides the user's of the same name.
//   - Front matter is `name`, `description` and `variables`, which the spec does not get, and keys of specs, which it
//     does. Keys that chant writes into specs are refused.
//   - Values are filled in once: into each text of the front matter after it was parsed, so that no value can change
//     its structure, and into the body as they are.
//   - A name that has no value stays as it is, with its braces.
//
// # Decisions
//
// 2026-11-23: a value may be given for every name that the template uses, also for one that it does not declare.
// Rejected: declared names only, which older templates do not need.
//
// 2026-11-23: a variable that is neither required nor has a default stays in the text if it has no value, as in the
// older chant; adding the spec warns of it. Rejected: an empty text, which hides what was left out.
//
// 2026-11-23: a required variable with a default is optional, as in the older chant, and an empty value for a required
// one counts as missing. Rejected: refusing a template that has both.
package template
