// Package fakemodel is a scripted stand-in for the Anthropic Messages API, for
// tests that drive a real agent CLI without a model, a key or a network.
//
// It answers on loopback what such a CLI asks: messages (streamed or whole),
// the list of models and the counting of tokens. It never thinks, never leaves
// the machine and never checks a key; how well a request is formed is looked at
// only as far as the answer needs it.
//
// Laws:
//
//   - It is stateless. The turn follows from the number of tool results in the
//     request, so a request that is sent twice gets the same answer twice, and
//     conversations side by side do not disturb each other.
//   - A request that offers no tools (a title, a summary, a small model) does
//     not take part in the script; it gets a short text.
//   - Every request is recorded before it is answered, those that fail or hang
//     included.
//   - Nothing outlives the test: the server closes with it, hanging requests
//     first.
//
// # Decisions
//
// 2026-11-20: a script is asked for all turns of the conversation at hand.
// Refused: asking for one turn by number; with several calls in a turn the
// number of a turn is not the number of results, and each script would have to
// count for itself.
//
// 2026-11-20: usage is derived from the sizes of request and answer. Refused:
// constants, which let a reader that mixes up two fields pass.
package fakemodel
