// Package cli holds what chant knows of each agent CLI: how it is started, how it gets
// its prompt and its MCP server, what its output means, and when it has succeeded.
//
// A CLI is a Definition, which is data; only the form of an MCP config and of an output
// is code, and both are chosen by name. So a project adds a CLI that behaves like one of
// these with a file of its own and no code.
//
// It starts nothing, reads no environment of its own, writes only below
// Invocation.StateDir, and reads of a CLI's own files only what copilot tells nowhere
// else.
//
// # Laws
//
//   - The prompt goes by stdin or by the path of its file, never as an argument.
//   - The agent gets chant's MCP server and no other, where the CLI can be held to that.
//   - What is written may hold secrets: files have the mode 0600, and of the server's
//     variables only names stand in arguments.
//   - Success is the word of the CLI's own last event. An exit code alone never makes
//     one where the CLI has such an event.
//   - A line that no decoder knows is passed on as output: a newer CLI must not break a
//     run.
//   - Arguments never pass a shell.
//
// # Decisions
//
// 2026-11-20: definitions are Go values, with the keys that a project's file has too;
// refused: files of front matter that are embedded, which cost a parse at every start
// and are checked only when they run.
//
// 2026-11-20: codex works in its own sandbox, opened for the two folders of git that a
// linked worktree needs, for caches and for the network; refused: no sandbox, since it
// is there and keeps the agent out of everything else.
//
// 2026-11-20: an optional part of the arguments is a list of its own, which is left out
// when one of its placeholders is empty; refused: conditions in templates.
package cli
