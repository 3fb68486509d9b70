// Package commands contains the toolset "commands": prompts that an agent finds by asking in its own words, reads
// about, and gets rendered, for clients that were written for the MCP server of climpt.
//
// It contains rows, texts and the errors that those clients know. It decides nothing about commands and renders
// nothing.
//
// # Rules
//
//   - The text of a reply has the form of climpt's documents: an array of results, the record of one command, the
//     prompt. The structured content has the result of the operation; of climpt_execute the metadata has it.
//   - Every failure is an object with the key error, with isError. Its text contains nothing else; the next step, where
//     there is one, is a text of its own behind it.
//
// # Decisions
//
// 2026-11-23: agent is required where a command is executed, as climpt's documents say, and optional elsewhere.
// Rejected: assuming climpt there, because clients expect an error for a call without an agent.
//
// 2026-11-23: the next step is a text behind the error object. Rejected: a key of the object, whose keys clients know.
//
// 2026-11-23: climpt_execute has no structured content. Hosts show that to their models in place of the text, and a
// prompt as an escaped string is harder to follow. Rejected: both.
//
// 2026-11-23: a parameter that no tool takes is refused, as in all toolsets but the one with a dialect. Rejected:
// ignoring it as climpt does, which hides a misspelt option.
package commands
