// Package journal reads and names what happened in the runs of a spec: steps, attempts, sessions of agents, failures and
// their kinds.
//
// A journal is a file of JSON lines in git's common folder, one record before and one after each step. The package engine/run/attempt
// writes it while it works; this one reads it, and writes only what a person vouches for.
//
// # Rules
//
//   - No journal is an empty history. A line that chant did not write is skipped.
//   - A failure has a kind, spec.ReasonCode, beside its text. Every decision reads the kind.
//
// # Decisions
//
// 2026-11-23: a failure has a kind. It is kept as reason_code beside the text of the reason, in front matter and in the
// journal's record of the failure. Rejected: recognising the wording of the reason, as before: a reworded message changed
// what chant advised, and so did a spec or an agent that wrote the same words. A journal from before has no codes;
// kindOfWording reads those records, and nothing else reads wording. Front matter from before counts only as far as the
// journal knows of the failure: for any other old reason the advice is the general one. Rejected: reading the wording of
// old front matter, which anyone can write.
package journal
