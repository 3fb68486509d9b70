// Package feature contains the toolset "feature": what an agent needs of the feature of spec-kit or the change of OpenSpec
// that its worktree is about, for clients that were written for the MCP server of rstn.
//
// It contains rows, texts and the errors that those clients know. It reads no file and decides nothing about features.
//
// # Rules
//
//   - The names of tools and parameters are those of rstn, also beside other toolsets. Served alone, the server is called
//     rstn.
//   - Texts are those of rstn's documents to the letter. What they have no place for, such as the next task, is in the
//     structured content.
//   - Every tool answers for the worktree that its server was started in.
//
// # Decisions
//
// 2026-11-26: missing and wrong arguments and failures of files begin with "Error: ", as the chapter about errors has
// them; the errors that are listed with a tool have the words of that list. Rejected: one form for all, which contradicts
// one part of the documents or the other.
//
// 2026-11-26: a hook that fails is a result without isError, whose exit code says so. Rejected: isError, because clients
// then do not read the output as a result.
//
// 2026-11-26: rstn_read_spec has no structured content, because it would repeat the document in the context of the model.
package feature
