// Package keyfile keeps the key with which this machine signs evidence, and reads the keys that a project trusts.
//
// # Rules
//
//   - Everything private is in Folder, below the user's configuration folder and outside of every repository. A sandbox
//     around agents must deny them what Private lists, and where it leads.
//   - Files in Folder are made once and never replaced. Their owner alone may read them.
//   - The public keys that a project trusts are the files .chant/keys/NAME.pub of a commit. A key whose file is removed
//     is not trusted any more.
//   - A private key of OpenSSH stays where it is: the folder has only its path, and the SSH agent signs if the file is
//     encrypted.
//
// # Decisions
//
// 2026-11-26: the folder has a second secret, with which journals are sealed (engine/evidence/journal). Rejected: signing each
// record with the key itself, since an SSH agent may ask a person to confirm each signature.
//
// 2026-11-26: a signature by an SSH agent is a plain Ed25519 signature, so a program that verifies evidence need not know
// that SSH was used. Rejected: the signature format of ssh-keygen -Y, which tools for DSSE cannot verify; and RSA, ECDSA
// and security keys, whose signatures have forms of their own.
package keyfile
