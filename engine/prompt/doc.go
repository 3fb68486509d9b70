// Package prompt reads the prompts of agents: Markdown files with a description, a prompt that they
// may extend, and variables; and the rules of a project, which follow every prompt about a spec. Its Fill is the one
// renderer: of prompts, of commands in the layout of climpt, and of spec templates.
//
// Parsing and filling are pure: they open no file except the shipped ones, which are part of the program, and know
// neither specs nor runs. The caller supplies the values of variables.
//
// # Rules
//
//   - Filling reads the text once, from beginning to end. Values are not searched for variables, so a spec or the
//     output of a command cannot use one.
//   - {{name}} is a variable of any name. {name} is one only for the names of climpt: input_text, input_text_file,
//     destination_path and those that begin with "uv-".
//   - Everything else in braces stays as it is: JSON, code, `{}`, `{{#each}}`, `${ENV}`, `${uv-x}`, a name without a
//     value. Unknown finds misspelt names, with their lines.
//   - {{uv-x}} is the same variable as {uv-x}: its value replaces both pairs of braces. A third pair stays, so
//     {{{uv-x}}} becomes the value in braces.
//   - A prompt that extends another has the marker `{{> parent}}` once, where the
//     text of the other goes. A missing marker, an unknown parent and a circle are errors.
//   - An extension is text after a prompt; it is filled in like the prompt.
//   - Rules are .chant/rules.md and the files of .chant/rules, from the version of the project that its settings are from. Those
//     with `paths` count where these overlap the target files of a spec. A spec without target files has all of them.
//   - What starts, asks or judges refuses a file of rules that cannot be read, since its commands would be lifted without a sign.
//     Everything else works, and lint names each such file.
//
// # Decisions
//
// 2026-11-30: rules are a part of what the settings require (spec.Checks), so that whatever judges by the settings of a commit judges
// by its rules, and every question to an agent about a spec has the same. Rejected: reading them with the settings, where one
// broken file of rules would stop every command; and a list of their own beside the settings, which each of the places that judge
// would have to pass on.
//
// 2026-11-30: rules are put behind every prompt. Rejected: a variable, which the prompts that projects have already do not use.
// Questions in an empty folder, which are about no work, have no rules.
//
// 2026-11-30: an unknown key in a file of rules is an error, unlike in prompts: `path` for `paths` would make rules count for
// other files than was meant. Rejected: the keys of other tools (globs, alwaysApply), which mean other things.
//
// 2026-11-30: a file of rules that is a link is refused. Rejected: following links in the checkout, since commits are read without
// doing so, and the rules of a commit would be others.
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
//
// 2026-11-23: the names of climpt are found by the same expression as {{name}}, so that a text is read once. Rejected:
// a second pass for them, which would search the values of the first one.
//
// 2026-11-23: {{uv-x}} is a variable. Rejected: replacing only the inner braces, as climpt does, because people who
// know {{spec.id}} write all names in this way.
//
// 2026-11-23: `${uv-x}` stays as it is, because a shell reads it as "uv, or x without it". Rejected: replacing it as
// climpt does, which changes scripts in prompts.
//
// 2026-11-23: the key for what a prompt does is description, as in commands of climpt; purpose is still read.
// Rejected: both for different texts, because each list prints one of them.
package prompt
