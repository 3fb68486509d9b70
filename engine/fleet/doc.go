// Package fleet has what several machines share when they work on one queue of specs: the words of the queue (entries,
// changes, commands, nodes), which fleet/jetstream keeps; the claims and branches in one git remote; and what agents have
// used on all machines. What a node does with them is in engine/work/node.
//
// # Rules
//
//   - git is the record. An entry is only the id of a spec and the commit at which it was found ready; whoever takes it
//     reads the spec again. A queue that was lost is filled again from the specs and claims in git.
//   - An entry may be delivered twice. A claim (Claim) decides which worker may work on a spec: it is a ref of the remote
//     that changes only by comparing its old value, in the same push as the branch of its run: all of it or nothing. So
//     whoever has lost a claim cannot push to the branch either, and at no time do two workers have a spec.
//   - Each push changes the claim, since git does not compare what it does not change.
//   - The answer to a push can be lost with the connection. So a lease is lost only when the remote, asked again, has
//     neither what was pushed last nor what a push without an answer was to make of it.
//   - A claim is signed with the key of its worker, since whoever can push to the remote could write it in any name.
//   - No rule compares the clocks of two machines. Whether a worker is alive is decided by the server of the queue, which
//     counts the time since the last heartbeat.
//   - What is fetched goes to remote-tracking refs and to refs/chant/claims; no branch of the clone moves. Reading what was
//     fetched uses no network, and costs a clone that takes part in no fleet one look at a file.
//   - Where chant has made the clone, no person works: there it packs objects, removes locks that killed git processes
//     have left, and brings the checkout in order.
//   - What was used is reported as the total of its owner so far, never as what was added to it: a report that is repeated,
//     late or overtaken by a later one changes nothing. A machine changes its own total alone. Amounts are whole numbers, so
//     that sums are exact. The day of a fleet begins at midnight UTC by the clock of the queue's server.
//
// # Decisions
//
// 2026-11-29: there is no interface of a queue. Rejected: one that was written for a second queue, in memory, with tests that
// both had to pass. That one had to behave as the server does, and did not where keys, withdrawals and the backlog matter;
// the tests of nodes use the server that a hub has, in their process, and take as long (35 s and 33 s, of which all but
// 18 s and 16 s of processor time is waiting).
//
// 2026-11-27: a worker fetches the branches of runs, and with them the evidence, only to continue one. Rejected: all of
// them each time, with which ten workers copied each commit nine times; and one by its name, which fails if it does not
// exist.
//
// 2026-11-26: a claim has no time at which it ends. It is taken over only by a worker to which the queue has delivered
// the same spec again, because heartbeats have stopped. Rejected: a lease with a wall-clock time, which a machine whose
// clock is off by an hour either loses at once or never.
//
// 2026-11-26: the owner of a total is a clone, for a day, and a process, for a run. Rejected: a total of each agent,
// which has to be marked as ended, and remembered so that a late report does not count it again. The journals of a
// clone have the sum of all its agents, including what an agent has reported at its end only.
//
// 2026-11-26: a day of UTC. Rejected: the day of each machine, with which machines in two time zones, or one whose
// clock is off, would each have a budget of their own around midnight.
package fleet
