// Package markdown turns the bytes of a Markdown file with YAML front matter into a document and back.
//
// It is pure: it never opens a file, runs a program, reads the clock or writes a log. The path that it is
// given is a name for messages, nothing more.
//
// Rules:
//
//   - Lossless. [Document.Bytes] is the file as it was read. An edit replaces the bytes of what it edits and
//     no others; unknown keys, comments, key order, line endings and a byte order mark stay.
//   - Never wrong bytes. [Document.Apply] parses what it wrote and compares; if anything but the edited keys
//     would read differently, it returns an error and no document.
//   - One reader for tasks and sections: goldmark's syntax tree. A box in a fence, in indented code or in an
//     HTML comment is not a task.
//   - A document is immutable and may be read by many goroutines. Byte slices that it returns are views of
//     it and must not be changed.
//   - Reading is lazy. [Parse] only finds the fences; YAML and the body are parsed when first asked for.
//
// Lines are counted from 1 and offsets from 0, both in the whole file and in bytes.
//
// # Decisions
//
// 2026-11-20: front matter is split by hand and decoded through adrg/frontmatter. Its own split is rejected:
// it trims lines, so an indented "---" in a block scalar would end the front matter, and it takes a missing
// end for a missing front matter.
//
// 2026-11-20: edits are byte surgery checked by a second parse. Writing the whole YAML tree back is rejected
// as the normal way: it re-indents lists and folds text. It remains the last resort, for a front matter
// that is one flow mapping such as "{status: pending}".
//
// 2026-11-20: where a value ends is asked of the YAML parser (does the text up to here still read as the
// same value?). A scanner of our own for quotes, flow brackets and block scalars is rejected: it would be a
// second opinion about YAML.
//
// 2026-11-20: strings of several lines are written in double quotes, unless they replace a block scalar. The
// YAML package's own choice of a block scalar is rejected: some with leading white space do not read back.
//
// 2026-11-20: a front matter of several YAML documents is a syntax error. Reading the first is rejected,
// because the keys of the others would vanish in silence.
//
// 2026-11-20: lines nested deeper than 128 containers are read as text. Following them is rejected: goldmark v1.8.7
// recurses per level, and one line of ten million ">" would end the process.
//
// 2026-11-23: task boxes have a parser of their own. Rejected: the one in goldmark/extension v1.8.7, which takes
// "[ ]text" for a task and whose package costs every start 0.5 to 0.9 ms (measured 2026-11-29).
package markdown
