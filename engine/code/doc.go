// Package code answers questions about the code of a worktree: it indexes files, searches code and documentation, and
// follows references between definitions.
//
// # Rules
//
//   - Meanings are compared by what was learned from the repository, or by the embedder of the settings. Where that fails,
//     words alone count, and the result says why.
//   - The settings of a project come with a clone, so they alone do not send code or a key to a server: git's own
//     settings must name it. Only a server on this machine gets code, without a key, by the settings alone.
//
// # Decisions
//
// 2026-11-24: consent is a key of git's settings. Rejected: a question on the terminal, which agents and servers cannot
// answer; a list in the settings of the project, which is what must not be trusted.
//
// 2026-11-24: research finds links of Go code by types where go can load it (package gotypes), and stores what it found
// under the contents of all Go files. Any other link is found by names. Rejected: types for each language, as package
// graph explains; checking types while files are indexed, because a search does not need them.
package code
