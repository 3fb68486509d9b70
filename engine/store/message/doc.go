// Package message is about the messages of commits that record events of specs: it writes them, reads what they record,
// and checks those that look like chant's own.
//
// It decides nothing by them: anyone can write such a message.
//
// # Rules
//
//   - A commit about one spec is called "chant(<id>): <events>", one about several "chant: <subject>".
//   - The trailer Chant-Spec names a spec, and each Chant-Event behind it, up to the next Chant-Spec, is an event of this
//     spec: one of the state machine, or one of the words in commitWords.
package message
