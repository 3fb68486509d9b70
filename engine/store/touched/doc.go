// Package touched finds what a change of commits touches that decides how later work is made and judged: settings,
// prompts, providers, templates, schemas, protected files, and what other specs require; and which files it touches that
// other programs run or trust.
//
// It reads commits only, so that a landing, a CI job and a fresh clone find the same. Only what the settings of a checkout
// lead to is given by the caller. It decides nothing: the same change is forbidden in a run and an ordinary commit of a
// person.
//
// # Rules
//
//   - A protected file is changed if a checkout would write another content for it, or if a path that reaches it leads to
//     another file, on any system: case, composition, links, attributes.
//   - So it is if a tool finds another file before it, or makes it of one. Such a name counts only beside a file that is there,
//     or that a glob spells out: "**/*.js" does not protect from a file that hides none.
//   - A link is judged by following it through all links of the commit. One that leads where none may is a change, unless it
//     did so before.
//   - A branch has nothing where worktrees get ignored files of the checkout, by copy or link, unless the commit that it is compared
//     with has something there: set-up replaces nothing that is committed.
//
// # Decisions
//
// 2026-11-30: a file of a branch in the place of a linked or copied one counts as a change of a protected file. Before, set-up left
// it there without a word, and criteria found the module of an agent instead of the person's. Rejected: having set-up put the
// link in its place, after which the tree would differ from the commit; and a failed set-up, which no person could accept.
//
// 2026-11-28: git itself says which attributes files have, in a repository of its own that has only the attribute files of a
// commit. Rejected: "git check-attr --source", which git has since 2.40; the matcher of go-git v5.19.3, which does not know all
// patterns and would differ from what git does; and to count every change of an attribute file, which would stop runs that
// add one for pictures.
//
// 2026-11-30: bytecode counts whatever the mark in it says, since a time and a size can be foretold and a hash of the text says
// nothing of the code. A file .json beside .js does not count: no resolver tries it first.
//
// 2026-11-28: names that are one file on some system are compared everywhere, with case folding, NFC, and what HFS+ and NTFS
// leave out. Rejected: comparing them as the file system of this checkout does, since others check the commit out as well.
//
// 2026-11-28: of what settings lead to, files are found that settings, hooks and the scripts behind them name. Rejected:
// running hooks and filters from an older version, since they start other files by name; running none of them, since a
// checkout without filters has other files; and following what programs compute, which no one can list.
//
// 2026-11-26: everything else below .chant counts as a setting. Rejected: ignoring it, since what chant reads there
// grows with every version.
package touched
