// Package commands contains the operations on commands: prompts that are found by asking in one's own words, described
// with the parameters that they take, and rendered.
//
// A command is only text: none of these operations does what a prompt asks for.
//
// # Decisions
//
// 2026-11-23: text comes from here, without deno and without a process. Rejected: running the climpt program as its own
// server does, which needs a network and a second runtime for replacing a few words.
package commands
