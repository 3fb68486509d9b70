// Package node has the operations on a fleet: several machines that work on one queue of specs. Up starts its hub, Join a
// worker; Status, Order, Retry and Down look at it and direct it from any machine.
//
// engine/fleet has what the machines share, fleets/worker and fleets/leader what a node does.
//
// # Rules
//
//   - A clone takes part in a fleet once Up or Join has written its membership, or the settings name a server. Without
//     that nothing here is touched by any other operation: no connection, no file, no port.
//   - Keys are in the folder of chant's keys, which is hidden from agents. A membership has only their paths.
//   - What a node changes, it changes in a clone that chant has made for it. The hub's clone is the user's: nothing in its
//     checkout moves.
package node
