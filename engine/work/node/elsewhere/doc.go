// Package elsewhere has what a person does about a spec that another machine of the fleet works on: read its log, pause it,
// answer its agent, take it over.
//
// # Rules
//
//   - A spec that has a run in this clone, or that no machine has claimed, is left to the operation of the same name for
//     runs in a clone. Where the clone takes part in no fleet, nothing else happens.
//   - A machine is asked by a command, which only the hub may send. What has become of it is read in its claim.
//   - Nothing waits forever: a machine that does not answer is an error.
package elsewhere
