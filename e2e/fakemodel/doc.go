// Package fakemodel is a scripted stand-in for the APIs of models, for tests that
// drive a real agent CLI without a model, a key or a network.
//
// It speaks five forms on loopback, each streamed and whole: Anthropic Messages,
// OpenAI Responses and Chat Completions, Gemini and Ollama; and beside them what
// clients ask first, such as the list of models. It never thinks, never leaves
// the machine and never checks a key; how well a request is formed is looked at
// only as far as the answer needs it.
//
// Rules:
//
//   - It is stateless. The turn follows from the number of tool results in the
//     request, so a request that is sent twice gets the same answer twice, and
//     conversations side by side do not disturb each other.
//   - A request that offers no tools (a title, a summary, a small model) does
//     not take part in the script; it gets a short text.
//   - Every request is recorded before it is answered, those that fail or hang
//     included; the usage that an answer reports is added when it was sent completely.
//   - Nothing outlives the test: the server closes with it, hanging requests
//     first.
//
// # Decisions
//
// 2026-11-20: a script is asked for all turns of the conversation at hand.
// Rejected: asking for one turn by number; with several calls in a turn the
// number of a turn is not the number of results, and each script would have to
// count for itself.
//
// 2026-11-20: usage is derived from the sizes of request and answer. Refused:
// constants, which let a reader that mixes up two fields pass.
//
// 2026-11-20: usage is kept in one meaning, with Input apart from either side of
// a cache, and each form says it in its own. Refused: keeping what went over the
// wire, which would make a test repeat the arithmetic of the decoder it checks.
//
// 2026-11-20: a tool in a namespace is called NAMESPACE.NAME, for no
// API has a dot in the name of a function. Refused: joining with two underscores
// as clients show it, for the border is lost then.
package fakemodel
