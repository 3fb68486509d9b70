// Package tools contains the toolset "tasks": tasks, sprints, projects and their settings, for clients that were written
// for lotar's MCP server.
//
// It contains rows, the errors that those clients know, and texts where lotar's reply is not the result of an operation as
// JSON. It decides nothing about tasks; arguments are read leniently by toolset and by the inputs of the operations.
//
// # Rules
//
//   - Names, parameters, texts and codes of errors are lotar's. Every refusal of an argument has a sentence in
//     data.details, every other failure one in data.message.
//   - Definitions have no descriptions of parameters, so that the list of all tools stays below 12 KB.
//
// # Decisions
//
// 2026-11-23: calls are carried out one after the other, also those that complete a task and so run its criteria. Rejected:
// carrying these out beside the others, since scripts of lotar's users write several requests at once and rely on their
// order.
//
// 2026-11-23: annotations of tools are listed only where they differ from what MCP clients assume. Rejected: all four for
// each tool, which take a quarter of the list.
package tools
