// Package prompt reads the prompts that agents are told their work by: a Markdown
// file with what it is for, another one that it may extend, and variables.
//
// It is pure: it opens no file but those that the program carries, and knows
// neither specs nor runs. Whoever fills a prompt in says what a variable means.
//
// # Rules
//
//   - Filling reads the text once, from its beginning to its end. Nothing that is
//     filled in is searched again, so no spec and no output can name a variable.
//   - What is no known variable stays as it is written: `{{#each}}`, `${ENV}`, a
//     word that is misspelt. Unknown finds the last, with its line.
//   - A prompt that extends another has the marker `{{> parent}}` once, where the
//     other's text goes. One without it, an unknown parent, and a circle are errors.
//   - An extension is text behind a prompt; it is filled in like the prompt.
//
// # Decisions
//
// 2026-11-20: a project's prompt that extends its own name extends the shipped one.
// Rejected: calling that a circle, which leaves copying as the only way to add a
// sentence to a shipped prompt.
//
// 2026-11-20: what a shipped prompt extends is looked for in the project first. A
// project that has its own `standard` has it for its documentation too. Rejected: the
// shipped one, which no one there reads any more.
//
// 2026-11-20: no conditions and no loops. Rejected: a template language, whose errors
// no one sees before an agent has misread them; a variable that has nothing to say is
// empty or says so.
package prompt
