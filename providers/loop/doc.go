// Package loop is an agent of our own: it talks to a model over HTTP, carries out the
// tools that the model calls, and goes on until the model has no more to do. It speaks
// the Chat Completions of OpenAI and of the many servers that copy them, the chat of
// Ollama and the Messages of Anthropic, all streamed, and works with small models: tools
// are few, and every error says what to do instead.
//
// It never asks a person, never commits and knows no spec. It reads no environment of its
// own but for the proxy that net/http is told of: what it needs is in its Agent. It writes
// the lines of its output, its transcript, and what its tools are told to.
//
// # Laws
//
//   - A call that cannot be carried out is an answer, never the end: an unknown tool,
//     arguments that are no JSON, a field that is missing, a file that is not there.
//   - No file tool leaves the worktree, whatever links are in it or put there meanwhile,
//     and none touches what git keeps there. See tree.go.
//   - run_command is a shell and no sandbox. It starts in the worktree, has a time limit
//     and leaves nothing alive; what it may touch is what the user may touch.
//     The model's key is not in its environment; whoever looks into the processes of the
//     user finds it all the same, and what is found so is blotted out of the answer.
//   - The prompt is never dropped from what the model sees, the last turn never whole, and
//     each call keeps its answer. What they say is shortened when there is no other way.
//     The transcript has everything but the calls of an answer that were too many.
//   - Of an answer that broke off nothing is kept: the turn is asked for again.
//   - The key is sent to the endpoint, not to where that would redirect us, and is in no
//     line of output.
//   - Turns and output are bounded here. Time, silence, tokens and cost are bounded by
//     whoever runs the process: each answer tells them in a usage line.
//
// # Decisions
//
// 2026-11-20: the loop runs in a process of its own, as `chant loop`, like every agent
// CLI. Refused: a goroutine of chant, for which time, silence, killing, logs and the
// redaction of secrets would have to be made a second time, and whose fault would take
// chant with it.
//
// 2026-11-20: where a model behind Ollama or a server like OpenAI's calls nothing, and its
// text is nothing but {"name": …, "arguments": …} of a known tool, or has that as its only
// fenced JSON, it is a call. Small models answer so. Refused: any JSON within prose, which
// may be an example; and doing so for Anthropic, whose models do not.
//
// 2026-11-20: text is told when its answer is whole, and lines of kind "working" keep a
// long answer from looking like silence. Refused: telling each piece, of which half
// would be of answers that broke off.
//
// 2026-11-20: of .gitignore only the file at the top is honoured, and its simple lines.
// Refused: asking git, which makes a list depend on a program and on an index.
//
// 2026-11-23: patterns are those of doublestar, in which a bracket is itself, so that a.tsx in
// the folder [id] can be named. Rejected: a compiler of patterns of our own.
//
// 2026-11-20: commands run by providers.RunCommand, like the checks of criteria. Refused: a
// process group of the loop's own, which a command leaves by setsid, and which would be a
// second answer to the question how nothing is left behind.
//
// 2026-11-20: redirects are not followed. Refused: following them within one host, since
// no server of these asks for it.
package loop
