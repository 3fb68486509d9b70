// Package edits applies a person's edits of a spec during its run to the copy that counts: from home's copy to the
// run's branch, and back to home when the run is reset.
//
// # Decisions
//
// 2026-11-22: a reset applies a person's edits of the run's copy of the spec to home's copy: those made by commands,
// which the journal names, and changes between the end of one attempt and the start of the next, when no agent works.
// Rejected: taking the whole copy of the branch, since it also has what the agent wrote; and recognising edits by
// trailers of commits, since an agent can write them.
//
// 2026-11-22: when an attempt starts, what a person has changed in home's copy of the spec since the last attempt is
// applied to the branch and to the criteria that count. The journal keeps home's copy for comparison. A change during
// an attempt may be the agent's, so it is only reported. Rejected: using the branch's copy alone, as before, so that an
// edit silently had no effect; trusting the branch's whole copy afterwards, as after chant edit, since no person has
// seen what the agent wrote there; and comparing with the start commit, by which an agent's own edit of home would
// count as a person's.
package edits
