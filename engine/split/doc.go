// Package split takes a spec apart: into the members that an agent proposes, or into
// its own sections.
//
// It is pure: it starts no agent and writes no spec. What comes in is a proposal as
// JSON or a document, what goes out is a plan that can be written as it is, or what
// is wrong, in words that whoever proposed it can act on.
//
// # Rules
//
//   - A plan has no circle, no member that waits for itself, and no reference to what is
//     not in it.
//   - Every criterion of the spec is asked for by a member, in the words of the spec. The
//     driver is judged by its own when its last member lands, and a box that a member has
//     ticked counts for it, but no agent works on the driver: what is in no member stays open.
//   - Every repair is told. What is no repair but a guess is a problem instead.
//   - A member that is a stub is no member: one without a title, without a criterion, with
//     criteria that say nothing, or without a word of what to do. Blanks are no words.
//   - A member is about files of the repository: one that names another is no member.
//
// # Decisions
//
// 2026-11-20: a circle is repaired by dropping, of the references that it goes through,
// those to a later member: in the agent's own order nothing waits for what comes after it.
// Rejected: turning the proposal down, since the order says what was meant.
//
// 2026-11-20: a criterion that no member takes goes to the last member that may wait for
// all others, and so do the commands under `verify`. Rejected: a further member for them
// alone, in which an agent would have nothing to do; and asking the agent again, which
// drops another one.
//
// 2026-11-20: sections become members that wait for the one before. Rejected: side by side,
// of which a text says nothing.
//
// 2026-11-22: a criterion of the spec that is about several sections goes to the last one,
// and nothing that a command says tells what it is about. Rejected: the first of several,
// which could never pass before the others are done.
package split
