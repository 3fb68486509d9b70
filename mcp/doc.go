// Package mcp is the door through which agents see specs: a Model Context
// Protocol server whose tools are the operations of package engine.
//
// It decides nothing about specs, keeps none in memory and writes nothing but
// protocol to its output. What goes wrong inside it is told to the log alone.
//
// # Laws
//
//   - A tool is one row of the table: a name, a sentence, what it may touch, and an
//     operation. Its structured content is the operation's result, which is also
//     what the command line prints as JSON.
//   - The project is opened for each call, so a reply never tells of a file as it
//     was before.
//   - Every request is answered once, in the framing it came in, before the server
//     ends for want of input; a call that its client took back is not answered.
//   - The requests of one stream are carried out one after the other, and their
//     replies stand in their order. Calls that may take long step out of the row.
//     Over HTTP each request is answered for itself.
//   - What a model can put right is a tool result with isError: unknown tools, bad
//     arguments, refusals of the engine. Protocol errors are for the client.
//
// # Tool contract
//
// Names, parameters and fixed texts are those of the chant MCP contract. Some rows
// take less than their operation can do: chant_finalize no acceptance of changed
// criteria, which is a person's act; starts of work and watches no limits and labels,
// chant_merge no way out of a conflict, which people choose; lists are bounded.
//
// # Decisions
//
// 2026-11-20: messages go through MCPServer.HandleMessage and a transport of our
// own. Refused: StdioServer of mcp-go with pipes around it. It keeps one session
// for the whole process, reorders replies in its worker pool, drops a last line
// without newline and the replies that are due at the end of input.
//
// 2026-11-20: a call that names no tool or has bad arguments is handed to a tool
// that lists do not show, which says what is wrong. Refused: composing the reply
// in the transport, which would have to know how each protocol version dresses a
// result.
//
// 2026-11-20: no reply to a request that the client cancelled, as the protocol
// asks. Refused: a result with isError, which no client reads.
//
// 2026-11-20: messages are limited to 16 MiB. Refused: no limit, since one broken
// client could then take all memory of the machine.
//
// 2026-11-20: over HTTP a client that says initialize gets a session, whose long
// calls go on when their connection is lost and whose replies can be fetched
// later; any other request stands by itself. Refused: the library's HTTP server,
// which takes any origin and whose checks of calls are not those of the contract;
// demanding a session, since tools answer without initialize everywhere else.
//
// 2026-11-20: of sessions and of replies to fetch later only so many are kept, and
// the ones used longest ago go first. Refused: letting them expire by the clock,
// which ends an agent's session while its model thinks.
//
// 2026-11-20: a server that was started outside of any project asks its client for
// the folders it works in and takes the first with a project. Refused: asking
// always; where the server was started is what the configuration says.
//
// 2026-11-20: the library knows one prompt, which stands for all of the project's.
// Refused: registering each, since they come and go while the server runs.
//
// 2026-11-20: subscribed resources are looked at once a second. Refused: a file
// watcher; a spec may speak from a branch, where no file changes in the folder.
//
// 2026-11-20: a client that names no protocol version gets the bare reply of the
// contract, version 2024-11-05 and tools alone.
package mcp
