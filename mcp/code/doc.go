// Package code contains the toolset "code": indexing and searching code and documentation, and following references,
// for clients that were written for the MCP server of SwiftIndex.
//
// It contains rows, arguments, texts and the errors that those clients know. It reads no file and ranks nothing.
//
// # Rules
//
//   - The names of tools and parameters are those of SwiftIndex, also beside other toolsets. Served alone, the server is
//     called swiftindex.
//   - The structured content of a reply has the result of the operation whatever the format of its text is.
//   - Texts of searches are TOON, JSON or for people. TOON has the sections and fields of SwiftIndex, but is such that
//     every decoder of TOON reads it: a range of lines is two columns, code is a string.
//   - Served alone, the server refuses calls of unknown tools by the JSON-RPC error -32602, as SwiftIndex does.
//   - The errors that SwiftIndex documents have its words; operations have most of them already. Others are reported as
//     in all toolsets, behind the words with which it begins them: Search failed.
//
// # Decisions
//
// 2026-11-23: index_codebase answers when the index is complete, so that its reply has the numbers. async makes a task of
// the same store, which check_indexing_status and tasks/get both see. Rejected: async as the default, as SwiftIndex has
// it, since its clients then have to poll a second tool.
//
// 2026-11-23: the default of semantic_weight is the one that measures best. Rejected: 0.7, which SwiftIndex has; the schema
// names both.
//
// 2026-11-28: with the format human, links to the files with matches follow the text, for people who open them. Rejected:
// links in the other formats, which would repeat every path in the context of the model; and no links at all, as before.
package code
