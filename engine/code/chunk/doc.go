// Package chunk describes the pieces into which files of code and documentation are divided: functions, types, sections.
//
// It is pure: it uses no file, process, clock or database.
//
// # Rules
//
//   - Each function and method is a chunk. A type is a chunk of its own, its header only: the declaration up to where its
//     members begin, and fields or cases that are no chunks themselves. Each member with a body is a chunk besides it.
//   - A doc comment belongs to the chunk that it documents. Chunk.Start is then the start of the comment.
//   - The breadcrumb of a chunk lists the types, modules or headings around it and its own name, joined by " > ". A
//     chunk at the top level has none.
//   - Chunks are in the order of their starts and cover no byte twice, but not each byte is in a chunk.
//   - A chunk has at most MaxBytes bytes. A longer function is divided where its blocks begin (kind and name stay the
//     same), a longer section between its paragraphs.
//   - What a chunk uses is listed as edges. An edge has a name and not a target, because a file is read alone: which
//     definitions a name may mean is decided when a question is asked.
package chunk
