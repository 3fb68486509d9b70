// Package cli describes each agent CLI: how it is started, how it gets its prompt and its
// MCP server, what its output means, and when it has succeeded.
//
// A CLI is a Definition, which is data; only the form of an MCP config and of an output
// is code, and both are chosen by name. So a project adds a CLI that behaves like one of
// these with a file of its own and no code.
//
// It starts nothing, reads no environment of its own, writes only below
// Invocation.StateDir, and reads only one file of a CLI: the usage that copilot reports nowhere
// else.
//
// # Rules
//
//   - The prompt is passed by stdin or by the path of its file, never as an argument.
//   - The agent gets chant's MCP server and no other, if the CLI allows that.
//   - Files may contain secrets, so their mode is 0600, and arguments contain only names
//     of the server's variables.
//   - The CLI's own last event decides about success. An exit code alone is never enough
//     for a CLI with such an event.
//   - A line that no decoder knows is passed on as output: a newer CLI must not break a
//     run.
//   - Arguments never pass a shell.
//
// # Decisions
//
// 2026-11-28: a CLI that reads MCP servers from the worktree alone has a file there while it works (treeFiles),
// which names variables and contains no values. Rejected: the user's home, which all runs share; and no server, as before.
//
// 2026-11-20: definitions are Go values, with the keys of a project's provider file;
// rejected: files of front matter that are embedded, which cost a parse at every start
// and are checked only when they run.
//
// 2026-11-20: codex works in its own sandbox, opened for the two folders of git that a
// linked worktree needs, for caches and for the network; rejected: no sandbox, since
// codex has one that keeps the agent out of everything else.
//
// 2026-11-20: an optional part of the arguments is a nested list, which is omitted
// if one of its placeholders is empty; rejected: conditions in templates.
package cli
