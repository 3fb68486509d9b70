// Package keys has the operations on keys that sign evidence: making this machine's key, listing keys, and trusting one.
//
// # Rules
//
//   - A person decides about keys: nothing here works inside a run, apart from listing.
//   - Making a key trusts nothing. A key is trusted once its public file is committed below .chant/keys.
package keys
