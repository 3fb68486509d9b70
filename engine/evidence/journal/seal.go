package journal

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"chant/engine/store"
)

// A sealed record ends with a member "seal": an HMAC-SHA-256, cut to 128 bits, of the id of the spec, the seal of the
// record before it, and the record itself. So no record can be changed, moved to another journal, repeated, or dropped
// from between others without the seals after it becoming wrong. Records at the end can be dropped: then earlier steps
// count as the last.

// sealBytes is the length of a seal, and sealText that of its text.
const (
	sealBytes = 16
	sealText  = 22
)

// sealStart is what comes before the seal in a line; `"}` comes after it.
const sealStart = `,"seal":"`

// Line returns a record as a line of the journal of a spec. With a secret it is sealed, after the record with the seal
// prev ("" for the first one), and seal is its own.
func Line(secret []byte, id, prev string, rec Record) (line json.RawMessage, seal string, err error) {
	line, err = json.Marshal(rec)
	if err != nil || secret == nil {
		return line, "", err
	}
	seal = sealOf(secret, id, prev, line)
	// The record stays a JSON object, so readers without the secret need not know of seals.
	line = append(line[:len(line)-1], sealStart...)
	return append(append(line, seal...), `"}`...), seal, nil
}

// sealOf computes the seal of a record, which is a JSON object without one.
func sealOf(secret []byte, id, prev string, record []byte) string {
	mac := hmac.New(sha256.New, secret)
	for _, part := range [][]byte{[]byte("chant journal 1"), []byte(id), []byte(prev), record} {
		mac.Write(part)
		// No part has this byte.
		mac.Write([]byte{0})
	}
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:sealBytes])
}

// openSeal returns the record of a line without its seal, and the seal; "" if it has none.
func openSeal(line []byte) (record []byte, seal string) {
	line = bytes.TrimSpace(line)
	end := len(line) - len(`"}`)
	at := end - sealText - len(sealStart)
	// Compared from the end, since a text in the record may contain the same bytes.
	if at <= 0 || !bytes.HasPrefix(line[at:], []byte(sealStart)) || string(line[end:]) != `"}` {
		return nil, ""
	}
	record = append(bytes.Clone(line[:at]), '}')
	return record, string(line[end-sealText : end])
}

// SealedLines returns the lines of a journal whose seals are right, in order.
func SealedLines(secret []byte, id string, lines [][]byte) (out [][]byte) {
	prev := ""
	for _, line := range lines {
		record, seal := openSeal(line)
		if seal == "" || !hmac.Equal([]byte(sealOf(secret, id, prev, record)), []byte(seal)) {
			// It was not written by chant on this machine, and later seals do not follow from it.
			continue
		}
		prev = seal
		out = append(out, line)
	}
	return out
}

// LastSeal returns the seal of the last sealed record in the text of a journal, "" without one.
func LastSeal(secret []byte, id string, text []byte) string {
	var lines [][]byte
	for line := range bytes.Lines(text) {
		lines = append(lines, line)
	}
	all := SealedLines(secret, id, lines)
	if len(all) == 0 {
		return ""
	}
	_, seal := openSeal(all[len(all)-1])
	return seal
}

// Append adds a record to the journal of a spec outside of a run; it is sealed if this machine has a key.
func Append(st *store.Store, id string, rec Record) error {
	secret, err := SecretOf(st)
	if err != nil {
		return err
	}
	var prev string
	// The seals are a chain, so the last one is needed.
	if secret != nil {
		text, err := st.Journal(id)
		if err != nil {
			return err
		}
		prev = LastSeal(secret, id, text)
	}
	line, _, err := Line(secret, id, prev, rec)
	if err != nil {
		return err
	}
	_, err = st.Append(id, line)
	return err
}

// SecretOf returns the secret with which journals are sealed, nil if this machine has no key.
func SecretOf(st *store.Store) ([]byte, error) {
	if st.Secret == nil {
		return nil, nil
	}
	return st.Secret()
}
