// Package split plans how to split a spec: into the members that an agent proposes, or
// into its own sections.
//
// It is pure: it starts no agent and writes no spec. Its input is a proposal as JSON or a
// document. Its output is a plan that can be written as it is, or a list of problems in
// words that an agent can act on.
//
// # Rules
//
//   - A plan has no cycle, no member that waits for itself, and no reference to a member
//     that is not in it.
//   - Every criterion of the spec belongs to a member, in the words of the spec. The driver
//     is judged by its own criteria when its last member lands, and a box that a member has
//     ticked counts for it, but no agent works on the driver: a criterion that is in no
//     member would stay open.
//   - Every repair is reported. What could only be repaired by a guess is a problem.
//   - A stub is not accepted as a member: one without a title, without a criterion, with
//     criteria that say nothing, or without a description of what to do. Blanks do not count
//     as words.
//   - The target files of a member are in the repository.
//
// # Decisions
//
// 2026-11-20: a cycle is repaired by dropping its references to later members, because in
// the agent's order no member should wait for a later one. Rejected: refusing the proposal,
// although its order shows what was meant.
//
// 2026-11-20: a criterion that no member has goes to the last member that can wait for all
// others, and so do the commands under `verify`. Rejected: a further member only for them,
// in which an agent would have nothing to do; and asking the agent again, which then omits
// another criterion.
//
// 2026-11-20: sections become members of which each waits for the one before. Rejected:
// members side by side, because a text does not say whether they are independent.
//
// 2026-11-22: a criterion of the spec that is about several sections goes to the last of all
// sections, and the words of commands do not count for what it is about. Rejected: the first
// of several, which could never pass before the others are done.
package split
