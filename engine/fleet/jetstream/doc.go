// Package jetstream is the queue of many machines, kept by a NATS server with JetStream: one that chant starts itself
// (fleet/hub), or one of the team's own.
//
// # What is stored where
//
//   - A stream of entries, with one subject per spec on which only one message may be. So a spec is in the queue at
//     most once, and can be offered again when it was finished. Each class of needs has a pull consumer.
//   - A stream whose messages disappear without a heartbeat: nodes and leases.
//   - A stream of what stays: shared values, classes, the public keys of nodes, and who took which entry.
//   - A stream of the logs of specs, by node.
//
// # Who does what
//
// A worker writes its own record and its own logs, and reads those of others. For everything else it asks the hubs of the
// project (Ask, and the methods of a delivery), one of which answers (Keep): that takes entries, ends them, and changes shared
// values by rules, if the record of the taker says that the worker may. A hub that answers keeps nothing in memory, so that
// the next request can go to another one.
//
// # Rules
//
//   - The server is the only one that counts time: how long an entry, a node or a lease lasts without a heartbeat, and
//     how old an entry is.
//   - A value that several nodes change is changed by comparing the sequence of its last message.
//   - Whoever takes an entry gets a random text (its lease), which is recorded at the spec. A heartbeat compares it, because
//     the server accepts the acknowledgement of any delivery, also of one that was lost.
//   - Who has sent something is known from its subject alone. What a node says about others, or cannot be read, is skipped.
//   - Requests of each node are answered one after the other, so that a node which asks without end delays itself. What it
//     tries that it must not do is reported once.
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
// 2026-11-28: hubs take entries for workers, and end them. Rejected: that workers pull and acknowledge entries themselves. The
// server cannot restrict an acknowledgement to those who have the entry, so that a worker could end the work of all others; and
// one that writes the records of takers and values could write those of every spec.
//
// 2026-11-28: a request may be carried out twice, if its answer was lost. All of them are so that this changes nothing.
//
// 2026-11-26: records are read with "direct get" and written as plain messages. Rejected: the key-value buckets of
// JetStream. They need consumers to list their keys, and with the right to create a consumer a worker can have the
// server write on any subject; their streams also let a message replace those on other subjects.
package jetstream
