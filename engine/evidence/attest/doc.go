// Package attest writes and reads signed evidence: an in-toto Statement about the tests of a commit, in a DSSE envelope
// that an Ed25519 key has signed. It also reads and writes the files of such keys.
//
// It is pure: it opens no file, talks to no SSH agent and draws no random numbers. Package engine/evidence/keyfile does that.
//
// # Rules
//
//   - The predicate is test-result v0.1. What chant needs beyond it is in the field "chant" of the predicate, which other
//     readers ignore.
//   - Signed evidence is a DSSE envelope, unsigned evidence the statement alone. An envelope is believed only if it is
//     written byte for byte as Seal writes it: a changed byte makes it Forged or unreadable, wherever the byte is.
//   - The statement names the public key of its signer, so that an unknown key can be distinguished from a wrong
//     signature. Trust never follows from that: only the keys that the caller passes to Check are trusted.
//   - Sources: https://in-toto.io/Statement/v1, https://in-toto.io/attestation/test-result/v0.1, and the DSSE protocol and
//     envelope, v1.0.2.
//
// # Decisions
//
// 2026-11-26: a signature of a trusted key counts whether or not a sandbox was in force, and reports name one without:
// `SIGNED by "ada", without a sandbox`. It says who answers for a result, and trusting a key is a decision about its
// machine. Rejected: counting only signatures with a sandbox, since machines of some systems have none, and an agent that
// can read a key can also sign that there was one; so the label protects from mistakes, and the key from lies.
//
// 2026-11-26: the Statement is a struct of our own; dsse of go-securesystemslib costs 0.2 MB and 0.1 ms. Rejected: the protobuf types
// of github.com/in-toto/attestation, which make the program 8.4 MB larger and each start 1.5 ms slower.
//
// 2026-11-26: unsigned evidence is the statement itself, which people and grep can read. Rejected: an envelope without
// signatures, which DSSE does not allow and people cannot read; and the plain report of earlier versions, whose notes can
// still be read.
//
// 2026-11-26: a key is named by the fingerprint that OpenSSH shows, "SHA256:…", which is also what the DSSE library
// derives. Rejected: a hash of the PEM file.
package attest
