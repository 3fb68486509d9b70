// Package loop is chant's own agent: it sends requests to a model over HTTP, runs the tools
// that the model calls, and continues until the model makes no more calls. It supports the
// Chat Completions of OpenAI and of the many servers that copy them, the chat of Ollama and
// the Messages of Anthropic, all streamed. It works with small models: there are few tools,
// and every error says what to do instead.
//
// It never asks a person, never commits and knows no spec. Its input is in its Agent; of
// the environment it reads only the proxy settings of net/http. It writes its output, its
// transcript, and the files that its tools are asked to write.
//
// # Rules
//
//   - A call that fails is answered with an error and does not end the session: an unknown
//     tool, arguments that are not JSON, a missing field, a missing file.
//   - No file tool leaves the worktree, whatever links it contains or gets meanwhile,
//     and none touches git's files there, by whatever name or link.
//   - run_command is a shell, not a sandbox. It starts in the worktree, has a time limit
//     and leaves no process alive; it has the permissions of the user.
//     The model's key is not in its environment. A command can still find it among the
//     processes of the user; it is removed from the answer then.
//   - To save room, the prompt is never dropped, the last turn never completely, and each
//     call keeps its answer. Their texts are shortened if nothing else helps. The transcript
//     has everything except surplus calls of one answer.
//   - Nothing is kept of an answer that broke off: the turn is requested again.
//   - The key is sent only to the endpoint, never to a redirect, and never printed.
//   - Turns and output are limited here. The caller of the process limits time, silence,
//     tokens and cost: each answer reports them in a usage line.
//
// # Decisions
//
// 2026-11-20: the loop runs in a process of its own, as `chant loop`, like every agent
// CLI. Rejected: a goroutine of chant, which would need a second implementation of time,
// silence, killing, logs and redaction of secrets, and whose crash would be chant's.
//
// 2026-11-20: where a model behind Ollama or a server like OpenAI's calls nothing, and its
// text is only {"name": …, "arguments": …} of a known tool, or has that as its only
// fenced JSON, it is a call. Small models answer like that. Rejected: any JSON within prose, which
// may be an example; and doing so for Anthropic, whose models do not.
//
// 2026-11-20: text is reported when its answer is complete, and lines of kind "working"
// show that a long answer is arriving. Rejected: reporting each piece, since half of them
// would belong to answers that broke off.
//
// 2026-11-29: os.Root keeps the file tools inside the worktree, and paths are freed of links before they are used, to leave
// git's files alone. Rejected: holding each folder on the way, against links that a command puts there in between: what a command
// can put there can write to git's files by itself.
//
// 2026-11-20: of .gitignore only the file at the top is honoured, and its simple lines.
// Rejected: asking git, which makes a list depend on a program and on an index.
//
// 2026-11-23: patterns are those of doublestar, in which a bracket is itself, so that a.tsx in
// the folder [id] can be named. Rejected: a compiler of patterns of our own.
//
// 2026-11-20: commands run by providers.RunCommand, like the checks of criteria. Rejected: a
// process group of the loop's own, which a command leaves by setsid, and which would be a
// second way to clean up processes.
//
// 2026-11-20: redirects are not followed. Rejected: following them within one host, since
// none of these servers needs it.
//
// 2026-11-29: Ollama and Anthropic are asked by their own APIs. Rejected: their forms of OpenAI's chat for all three, which would
// save 560 lines: Ollama's has no num_ctx, so that the server cuts a conversation at its own default without a notice, and
// Anthropic's caches no prompts, which makes each turn of a long conversation cost as much as all before it.
package loop
