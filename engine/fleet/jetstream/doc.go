// Package jetstream is the queue of many machines, kept by a NATS server with JetStream: one that chant starts itself
// (fleet/hub), or one of the team's own.
//
// # What is stored where
//
//   - A stream of entries, with one subject per spec on which only one message may be. So a spec is in the queue at
//     most once, and can be offered again when it was finished. Each class of needs has a pull consumer.
//   - A stream whose messages disappear without a heartbeat: nodes and leases.
//   - A stream of what stays: shared values, classes, and who took which entry.
//   - A stream of the logs of specs.
//
// # Rules
//
//   - The server is the only one that counts time: how long an entry, a node or a lease lasts without a heartbeat, and
//     how old an entry is.
//   - A value that several nodes change is changed by comparing the sequence of its last message.
//   - Whoever takes an entry leaves a random text (its lease) at the spec. A heartbeat compares it, because the server
//     accepts the acknowledgement of any delivery, also of one that was lost.
//   - Reports of changes and commands are not stored. Those that are sent while a connection is down are missed, so
//     whoever waits for them also looks at git from time to time.
//   - Every method retries while the server is away, for the patience of the queue, and then returns a *fleet.Problem.
//     A lost connection is opened again without end.
//
// # Decisions
//
// 2026-11-26: entries are pulled without waiting, when something was offered and every few seconds. Rejected: pull
// requests that wait at the server, one for each class. When one of them is answered, the others have to be withdrawn,
// and an entry that is on its way to a request that was withdrawn is nobody's until the patience ends.
//
// 2026-11-26: records are read with "direct get" and written as plain messages. Rejected: the key-value buckets of
// JetStream. They need consumers to list their keys, and with the right to create a consumer a worker can have the
// server write on any subject; their streams also let a message replace those on other subjects.
package jetstream
