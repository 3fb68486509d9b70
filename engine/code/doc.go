// Package code answers questions about the code of a worktree: it indexes files, searches code and documentation, and
// follows references between definitions.
//
// # Rules
//
//   - Meanings are compared by what was learned from the repository, or by the embedder of the settings. Where that fails,
//     words alone count, and the result says why.
//   - The settings of a project come with a clone, so they alone do not send code or a key to a server: git's own
//     settings must name it. Only a server on this machine gets code, without a key, by the settings alone.
//   - A server answers with what the files contain when it is asked. It may search what they contained before while it
//     looks at them, and searches again if they have changed.
//
// # Decisions
//
// 2026-11-30: what is in tests counts three fifths where a question does not ask for tests: a table of cases repeats the words
// of what it is about, and stood before it. Rejected: leaving tests out, which show how something is used. The
// benchmarks of package bench rank by Fuse alone and say nothing about this.
//
// 2026-11-28: a folder that is in no repository gets a git folder without commits in the user's cache folder, with the index
// in it, so that git's ignore rules, the manifest and the index are the same code everywhere. Rejected: refusing such a
// folder, as before, although clients of SwiftIndex may name any; walking it with a library for ignore rules, which would
// be a second set of them; and a .git or an index inside of the folder, which belongs to the user.
//
// 2026-11-26: the files of which a search shows pieces are read into memory that the next search uses again (texts).
// Rejected: new memory for each, 350 KB of the 1.8 MB that a search took, which leads to more collections of garbage.
//
// 2026-11-26: a server begins to search while it looks at the files, which takes two fifths of the processor time of a
// search. Rejected: the same where an embedder of the settings compares meanings, since it would get a question twice.
//
// 2026-11-24: consent is a key of git's settings. Rejected: a question on the terminal, which agents and servers cannot
// answer; a list in the settings of the project, which is what must not be trusted.
//
// 2026-11-24: research finds links of Go code by types where go can load it (package gotypes), and stores what it found
// under the contents of all Go files. Any other link is found by names. Rejected: types for each language, as package
// graph explains; checking types while files are indexed, because a search does not need them.
package code
