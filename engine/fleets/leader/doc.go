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
//   - The remote is the record: what is offered and landed follows from the target, the branches and the claims alone.
package leader
