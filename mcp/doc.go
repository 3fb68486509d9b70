// Package mcp is the entry point of agents: a Model Context Protocol server whose tools are operations of the engine.
//
// It decides nothing about specs and writes only protocol messages to its output. Its own
// failures are reported in the log alone.
//
// # Rules
//
//   - Tools belong to toolsets, which are values in one list (toolsets). From it come --toolsets and its help, the
//     table in the manual and the test of parity with the command line. Package mcp/toolset derives schemas and checks
//     arguments; mcp/tools and mcp/code contain the rows.
//   - tools/list and tools/call are answered from the table: a message is parsed once, its tool looked up, its
//     arguments checked, the operation run and its result written. The library answers everything else.
//   - The project is opened for each call, so a reply never shows an earlier state of a file.
//   - Every request is answered once, in the framing it came in, before the server ends because its input has ended.
//     A call that its client cancelled is not answered.
//   - The requests of one stream are carried out one after the other, and replies have their order. Calls that may
//     take long run beside them. Over HTTP each request is answered for itself.
//   - What a model can correct is a tool result with isError: unknown tools, bad arguments, refusals of the engine.
//     Protocol errors are for the client. A toolset that is served alone can refuse unknown tools by one (Alone.Strict).
//   - A toolset may have a dialect (toolset.Dialect), for clients of another server. Its tools are called by other
//     spellings of their names, too, exact names of all tools first, and their failures are JSON-RPC errors. Where the
//     server serves nothing else, greeting, framing and errors of messages are those of the dialect as well.
//   - A toolset whose clients are those of another server with plain MCP has names of its own where it is served
//     alone (toolset.Alone), and reports failures in their form (toolset.Foreign.Failure).
//   - A client that has agreed on protocol 2025-11-25, and no other, can call tools that say so as tasks (toolset.Task,
//     package taskrun). Nobody else sees a client's tasks. They outlive requests but not the connection or session: at
//     the end of the input, requests are answered, and then what is left of tasks is cancelled and waited for.
//   - The values that the hints of a dialect name are read anew for each list of tools, and a client that has seen them is
//     notified when they differ.
//
// # Decisions
//
// 2026-11-26: an unknown tool is a protocol error, -32602, only where the toolset code is served alone, whose clients
// know that from SwiftIndex. MCP says so for all servers, but the contracts of specs and commands have a result with
// isError, and that of tasks has -32601. Rejected: the protocol error everywhere, which breaks those contracts and hides
// from a model that it has misspelt a name; deciding by the negotiated version, since all versions say the same.
//
// 2026-11-26: what knows nothing of messages and sessions has packages of its own, too: web, watching, process.
// Rejected: moving all that is about HTTP, since its sessions are clients like those over a pipe.
//
// 2026-11-23: what a server offers besides answering messages has packages of its own, which know nothing of
// connections: catalog, prompts, resources, events. Rejected: dividing by transport, since sessions and streams over
// HTTP need what a connection over a pipe needs, too.
//
// 2026-11-23: a request over HTTP outside of a session cannot create tasks: no version has been agreed on, and nothing
// would tell apart who may see a task. Rejected: tasks that all clients with the token share.
//
// 2026-11-23: over HTTP, what a task reports goes to the stream that the client has opened with GET, and is dropped
// where there is none. Rejected: keeping it, since a client would then get progress of tasks that have ended.
//
// 2026-11-23: the result of a cancelled task is a result with isError. Rejected: a JSON-RPC error, since the protocol
// has no code for it; waiting for what the stopped call returns.
//
// 2026-11-23: titles, output schemas and structured content are sent in all versions, whose schemas allow further
// fields. Rejected: leaving out what clients skip, which makes replies of one tool differ for no gain.
//
// 2026-11-23: a server remembers the specs of lists of tasks for a minute (lookup.Recall) and compares the stamps of
// all files before it believes them. This reverses "keeps none in memory". Rejected: decoding the rows of all specs for
// each page, which takes three quarters of the time of a list of 10,000.
//
// 2026-11-20: messages go through MCPServer.HandleMessage and a transport of our own. Refused: StdioServer of mcp-go
// with pipes around it. It keeps one session for the whole process, reorders replies in its worker pool, drops a last
// line without newline and the replies that are due at the end of input.
//
// 2026-11-23: tools/list and tools/call are answered here, including what protocol 2026-07-28 adds to a result (20
// lines). This reverses a decision of 2026-11-20, by which refused calls went through the library to a hidden tool so
// that the library dressed the reply. Rejected: that, since a call was then parsed five times and its reason
// travelled in a context; the library's own tools, whose lists are sorted by name and whose checks differ from the
// contract.
//
// 2026-11-23: with several toolsets the instructions of each are sent. Rejected: one text for all, which names tools
// that are not offered.
//
// 2026-11-23: a toolset that is served alone has short names for its tools, and understands the ones that it has beside
// others, in calls and in --tools, so that a prompt or a script works with both. Beside others, only the long names are
// understood. Rejected: short names there, too, since search could mean any of several tools.
//
// 2026-11-23: a dialect is a value of its toolset, and its calls take the path of all others up to the reply. Rejected:
// a second server, which repeats cancelling, roots, HTTP and shutting down; translating at the stream, where a proxy
// cannot know which of the tools a name means.
//
// 2026-11-23: changed hints of a dialect are noticed by the same look once a second, which is the debounce, too.
// Rejected: a file watcher, which misses folders that do not exist yet and fires for every task that is written.
//
// 2026-11-20: no reply to a request that the client cancelled, as the protocol asks. Refused: a result with isError,
// which no client reads.
//
// 2026-11-20: messages are limited to 16 MiB. Refused: no limit, since one broken client could then take all memory
// of the machine.
//
// 2026-11-20: over HTTP a client that sends initialize gets a session, whose long calls continue when their
// connection is lost and whose replies can be fetched later; any other request is independent. Rejected: demanding a
// session, since tools answer without initialize everywhere else.
//
// 2026-11-29: HTTP, its sessions and the replies to fetch are ours. Rejected: StreamableHTTPServer, EventStore and sessions of
// mcp-go v1.2.1, tried with a server of two tools: nothing can stand between MCPServer.HandleMessage and the bytes it writes,
// so an unknown tool was -32602 although the contract has a result with isError, and a dialect could have no reply of its own;
// tools/list outside of a session was 404; a call whose connection was lost was cancelled; InMemoryEventStore kept each reply
// until its session ended (36 MiB after 500 replies of 64 KiB), and a body of 64 MiB was read whole. Its check of hosts knows
// no further hosts and no tokens, so that of package web stays as well; what the rest would replace has 560 lines here.
//
// 2026-11-20: of sessions and of replies to fetch later only so many are kept, and the ones used longest ago go
// first. Refused: letting them expire by the clock, which ends an agent's session while its model thinks.
//
// 2026-11-20: a server that was started outside of any project asks its client for the folders it works in and takes
// the first with a project. Refused: asking always; where the server was started is part of the configuration.
//
// 2026-11-20: the library knows one prompt, which represents all of the project's. Refused: registering each, since
// they come and go while the server runs.
//
// 2026-11-20: subscribed resources are looked at once a second. Refused: a file watcher; the current copy of a spec
// may be on a branch, where no file of the folder changes.
//
// 2026-11-20: a client that names no protocol version gets the bare reply of the contract, version 2024-11-05 and
// tools alone.
package mcp
