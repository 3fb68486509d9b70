// Package remote has a server make the vectors of texts: OpenAI's API for embeddings, which many servers offer, and
// Ollama's.
//
// # Rules
//
//   - A text that holds a secret is never sent (engine/code/embed: it then has no vector). Secrets are those of the
//     environment, what looks like one, and texts that code gives to what it calls a password, token or key.
//   - A key is in the header of requests only: never in an error, in a log or in an ID.
//   - What may be gone the next time (a busy or broken server, a lost connection) is tried again, a few times, each
//     time later. What a server refuses is not.
//   - All vectors have the same length, and each text gets one, or none of a call is used.
//
// # Decisions
//
// 2026-11-23: a client of its own. Rejected: the one of providers/loop, which reads streams of answers and has no use
// for lists of numbers.
package remote
