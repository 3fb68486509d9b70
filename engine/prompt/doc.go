// Package prompt reads the prompts of agents: Markdown files with a purpose, a prompt that they
// may extend, and variables.
//
// It is pure: it opens no file except the shipped ones, which are part of the program, and knows
// neither specs nor runs. The caller supplies the values of variables.
//
// # Rules
//
//   - Filling reads the text once, from beginning to end. Values are not searched for variables, so a spec or the
//     output of a command cannot use one.
//   - Everything else in braces stays as it is: `{{#each}}`, `${ENV}`, a misspelt name. Unknown finds
//     misspelt names, with their lines.
//   - A prompt that extends another has the marker `{{> parent}}` once, where the
//     text of the other goes. A missing marker, an unknown parent and a circle are errors.
//   - An extension is text after a prompt; it is filled in like the prompt.
//
// # Decisions
//
// 2026-11-20: a project's prompt that extends its own name extends the shipped one.
// Rejected: refusing that as a circle, which leaves copying as the only way to add a
// sentence to a shipped prompt.
//
// 2026-11-20: the parent of a shipped prompt is looked up in the project first: a project with its own `standard` uses
// it for documentation too. Rejected: the shipped parent, which the project has replaced.
//
// 2026-11-20: no conditions and no loops; a variable without content is empty or says that there is none. Rejected: a
// template language, whose errors are only noticed once an agent has misread them.
package prompt
