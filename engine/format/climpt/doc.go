// Package climpt describes commands as climpt has them: prompts that are found by three words, the domain, the action
// and the target of what they ask for (C3L), such as git/group-commit/unstaged-changes.
//
// It reads and writes the files in which users keep them: registries (registry.json), the front matter of prompts, and
// the settings of a domain (app.yml, user.yml). It is pure: it opens no file and renders nothing.
//
// # Rules
//
//   - A word is made of letters, digits, "-" and "_", and begins with a letter or digit. Words become parts of paths, so
//     nothing else is accepted.
//   - Variables of a command (uv) are read in the three forms that registries have: a list of maps, a map, and "" for
//     none; at the top level of a command, or below its options.
//   - An entry of a registry that cannot be used is left out and reported with its line. A registry that is not JSON, or
//     not a registry, is an error with its line.
//   - Options of a call are accepted as an object, as a list of command-line words and as one line of them.
//
// # Decisions
//
// 2026-11-23: words may have capitals and several hyphens, although climpt's schema allows neither. Rejected: its
// patterns, which differ from file to file and refuse names such as pre-merge-check that users have.
//
// 2026-11-23: false and null in the options of a call mean absent, and a list of one text means that text, because
// agents copy the description of a command's options into the call. Rejected: refusing options whose meaning is clear.
package climpt
