// Package outline divides a file into chunks: it knows languages by the names of files, and picks the reader of each.
//
// It is pure: it uses no file, process, clock or database.
//
// # Rules
//
//   - Each file has an outline. A reader that gives up, because a file is broken or hostile, is followed by the line
//     scanner, which never fails.
//   - Markdown has a chunk for each section, without those below it, and its breadcrumb is the path of headings. Front
//     matter is a chunk of its own. Other text and data are divided between paragraphs or lines.
//   - Chunks of documentation and of code differ by their kinds (chunk.Kind.IsText).
package outline
