// Package fleet has the words that several machines share when they work on one queue of specs: entries and outcomes,
// nodes, claims, and the interface of a queue, which fleet/jetstream implements.
//
// It is pure: it opens no connection and runs no command.
//
// # Rules
//
//   - git is the record. An entry is only the id of a spec and the commit at which it was found ready; whoever takes it
//     reads the spec again. A queue that was lost is filled again from the specs and claims in git.
//   - An entry may be delivered twice. A claim (Claim) decides which worker may work on a spec: it is a ref of the remote
//     that changes only by comparing its old value, together with the branch of the run.
//   - A claim is signed with the key of its worker, since whoever can push to the remote could write it in any name.
//   - No rule compares the clocks of two machines. Whether a worker is alive is decided by the server of the queue, which
//     counts the time since the last heartbeat.
//
// # Decisions
//
// 2026-11-29: tests of nodes use the server that a hub has, in their process. Rejected: a queue in memory that was written for
// them (fleet/memory, with a broker around it): 620 lines that had to behave as the server does, and did not where keys,
// withdrawals and the backlog matter. The tests of leaders and workers take as long with the server (35 s and 33 s, of which
// all but 18 s and 16 s of processor time is waiting).
//
// 2026-11-26: a claim has no time at which it ends. It is taken over only by a worker to which the queue has delivered
// the same spec again, because heartbeats have stopped. Rejected: a lease with a wall-clock time, which a machine whose
// clock is off by an hour either loses at once or never.
package fleet
