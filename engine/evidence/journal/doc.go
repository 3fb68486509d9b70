// Package journal reads what happened in the runs of a spec: steps, attempts, sessions of agents, failures and their
// kinds.
//
// A journal is a file of JSON lines in git's common folder, with one record before and one after each step. Package
// engine/run/attempt writes it during a run; this package reads it, and itself writes only that a person vouches for
// criteria.
//
// # Rules
//
//   - No journal is an empty history. A line that chant did not write is skipped.
//   - If this machine has a key, each record is sealed with the secret beside it, and decisions about a run are made from
//     sealed records only (ReadSealed). What is shown may come from any record (ReadHistory).
//   - A failure has a kind, spec.ReasonCode, in addition to its text. Every decision reads the kind.
//
// # Decisions
//
// 2026-11-26: a seal is an HMAC over the record, the id of the spec and the seal before it. A run that began before its
// machine had a key counts as one of another machine. Rejected: signatures, which only this machine needs and which
// an SSH agent would have to make for every record; and taking over the records from before the key, which anything could
// have written.
//
// 2026-11-23: a failure has a kind. It is kept as reason_code beside the text of the reason, in front matter and in the
// journal's record of the failure. Rejected: recognising the wording of the reason, as before: a reworded message
// changed what chant advised, and so did a spec or an agent that wrote the same words. Older journals have no codes;
// kindOfWording reads their records, and nothing else reads wording. The reason in older front matter is used only if
// the journal has the failure; for any other old reason the advice is general. Rejected: reading the wording of old
// front matter, which anyone can write.
package journal
