// Package edits brings what a person edits while a run is there to where it counts: from home's copy of the spec to the
// run's branch, and back to home when the run is reset.
//
// # Decisions
//
// 2026-11-22: a reset carries a person's edits of the run's copy of the spec over to home: those
// that commands made, which the journal names, and whatever changed between the end of one attempt
// and the start of the next, when no agent works. Rejected: the whole copy of the branch, which has
// what the agent wrote into it too; and recognising edits by trailers of commits, which an agent can
// write.
//
// 2026-11-22: an edit that a person makes in home's copy of a spec while its branch is there reaches the branch
// when the next attempt begins, and the text whose criteria count. The journal keeps home's copy to compare with.
// Only what changed between two attempts is such an edit; what changed during one may be the agent's, and is
// reported. Rejected: the branch's copy alone, as before, with which an edit was silently without effect;
// trusting the branch's whole copy afterwards, as after chant edit, since no person has seen what the agent wrote
// there; and comparing with the start commit, with which an agent's own edit of home would pass as a person's.
package edits
