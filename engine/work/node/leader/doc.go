// Package leader does what only one node of a fleet does at a time: it offers the specs that are ready, and lands the
// branches that workers have completed.
//
// # Rules
//
//   - The lease of the broker only saves work. Two leaders at once do no harm: the target moves without force, and what
//     has landed loses its branch and its claim in the same push.
//   - A leader works in a clone of its own (Clone), which nobody else uses. Before each round the clone is as the remote
//     is; what a round has landed and could not push is dropped and landed again.
//   - Nothing that a worker says is believed. What it has completed passes the gate of every landing, with the criteria
//     of the target, and they run again on the merged tree.
//   - Work lands for a machine that has signed the claim and to which the queue has given the spec. Other claims are reported,
//     and wait for a person.
//   - With "fleet.land: pr" the leader never moves the target. It opens a pull request for each branch, and removes branch
//     and claim once the target has the spec as completed.
//   - The remote is the record: what is offered and landed follows from the target, the branches and the claims alone.
//
// # Decisions
//
// 2026-11-28: a claim on a spec that the queue knows nothing of is accepted with its signature. Rejected: refusing it, since a
// queue that has lost its store knows nothing of any spec that is being worked on.
//
// 2026-11-26: "fleet.land" is read from the target in every round, because the clone of the leader is older than the
// remote when it is opened, and merging what was to be proposed cannot be undone. Rejected: the settings as they were
// when the process began.
//
// 2026-11-26: a pull request is opened without judging the work here first: its reviewers and "chant ci" do that on the
// forge, with the evidence, which is pushed before. Rejected: the gate of a landing, which judges a merge with a target
// that will have moved before anybody merges.
//
// 2026-11-26: work counts as merged once the target has the spec as completed, whatever the forge says, so that merge
// commits, squashes and rebases are alike. A branch whose commits the target lacks then is kept by a rescue ref, as on a
// single machine. Rejected: believing the forge, whose pull request may have gone to another branch.
package leader
