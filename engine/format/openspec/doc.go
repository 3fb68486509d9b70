// Package openspec reads, checks and applies the documents of OpenSpec: the specs of a
// project's capabilities, and the changes that alter them.
//
// It is pure: it reads through an fs.FS whose root is the folder openspec, so that a worktree
// and a tree of git serve alike, reads no file that the question does not need, and writes
// nothing. What is to be written, deleted and moved is returned as data, so that a caller can
// make one commit of it.
//
// # Rules
//
//   - It writes the same bytes as the tool `openspec` (@fission-ai/openspec 1.13.2), and its verdicts about a change, and the
//     errors and warnings behind them, are those of `openspec validate ID`. Golden files hold what the tool said and wrote,
//     and tests of the whole program compare the two wherever the tool is installed.
//   - White space, line ends, code fences and case are what the tool takes them for, even
//     where CommonMark differs: a heading starts in the first column, and a fence may be
//     indented.
//   - A merge is made of blocks: a requirement with all lines up to the next one moves,
//     changes or disappears as a whole. Renames come first, then removals, modifications and
//     additions.
//   - Deltas are applied all or none. What was done before is allowed; what a typing
//     error may have caused is refused.
//   - A spec is deleted only if the change declares it and no line of it would be lost
//     unseen.
//
// # Decisions
//
// 2026-11-30: a plan becomes one new capability, and never changes a spec that is there: what its parts would modify is
// not said in a plan. Rejected: guessing requirements to modify by their names.
//
// 2026-11-29: what the program does not use is not here: lists, verdicts about specs and about the archive, options of
// `openspec archive`, remarks that change no verdict, and the tool's words for why it refuses to archive or does not accept
// .openspec.yaml. Rejected: the same words everywhere, which had two sets of texts for each contradiction in a delta.
//
// 2026-11-29: whether a spec may be deleted is decided line by line, with a state for items only: it is kept in a few more
// cases than by the tool, such as a heading inside an item, and deleted in a few more, such as items behind a blank line.
// Rejected: the tool's rules, another 170 lines for files that git restores.
//
// 2026-11-26: an error of Archive lists all problems of all capabilities, of which the tool
// prints the first. Rejected: stopping like the tool, because each problem would cost an
// agent another try.
//
// 2026-11-26: findings have lines where this package knows them, also where the tool has
// none. Rejected: only the tool's, because a reader has to search then.
//
// 2026-11-26: bytes that are not UTF-8 stay as they are. Rejected: the tool's way, which
// replaces them in each spec it rewrites.
//
// 2026-11-26: schemas are those of the project and the built-in one. Those in a user's data
// folder do not count, since a verdict over a commit must not depend on the machine.
//
// 2026-11-26: the goldmark parser is not used. Its headings are those of CommonMark, and a
// requirement that one reader sees and the other does not is lost in a merge.
package openspec
