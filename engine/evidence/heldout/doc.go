// Package heldout opens and seals the criteria of specs that agents must not see. Where they are kept is a matter of the
// store, and what is shown of their results one of engine/evidence/criteria.
//
// # Rules
//
//   - A file is encrypted for this machine's key if that can open it again; git then tracks it. Otherwise it is plain, and no
//     commit contains it.
//   - Nothing is opened for a process inside a run, whatever it may read.
//
// # Decisions
//
// 2026-11-30: files of age (filippo.io/age 1.3.2), for the Ed25519 key by
// which the machine signs: a person can open them with age -d and the key of OpenSSH. Rejected: a secret of chant's own, which
// only chant could open; and a key that only an SSH agent holds, since agents sign but do not decrypt.
package heldout
