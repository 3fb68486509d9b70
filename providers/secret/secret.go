// Package secret finds the values of an environment that nobody is to read, and takes
// them out of texts. It knows them by the names of their variables and replaces them by
// value, so that it does not matter who printed them or why.
//
// It never reads an environment or a file of its own, and it is no guard against a
// program that means harm: a value that is encoded or cut in two is not found.
//
// # Laws
//
//   - What is found is replaced by the name of its variable, so that a reader of a
//     log sees which one it was.
//   - A value is found as it is, and as JSON and URLs spell it.
//   - Short values, numbers, words such as true, and paths are no secrets: to take
//     them out would spoil what an agent says and hide nothing.
//   - No text that has no value in it changes.
//
// # Decisions
//
// 2026-11-20: secrets are known by the name of a variable, and for URLs by their
// password; refused: to guess by how random a value looks, which takes hashes of
// commits and files out of every log.
package secret

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// Redactor takes the secrets of one environment out of texts. A nil one, like one
// without secrets, changes nothing. It may be used from several goroutines.
type Redactor struct {
	values   []value // the longest first
	longest  int
	replacer *strings.Replacer
}

// value is one spelling of a secret, and what stands in its place.
type value struct{ text, place string }

// From finds the secrets of an environment, each entry K=V.
func From(environ ...string) *Redactor {
	r := &Redactor{}
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		for _, found := range secretsIn(name, text) {
			r.add(name, found)
		}
	}
	// What contains another goes first.
	slices.SortStableFunc(r.values, func(a, b value) int { return cmp.Compare(len(b.text), len(a.text)) })
	var pairs []string
	for _, v := range r.values {
		pairs = append(pairs, v.text, v.place)
		r.longest = max(r.longest, len(v.text))
	}
	r.replacer = strings.NewReplacer(pairs...)
	return r
}

func (r *Redactor) add(name, text string) {
	place := Mark(name)
	for _, spelling := range []string{text, inJSON(text), url.QueryEscape(text), url.PathEscape(text)} {
		if !slices.ContainsFunc(r.values, func(v value) bool { return v.text == spelling }) {
			r.values = append(r.values, value{spelling, place})
		}
	}
}

func inJSON(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) != nil { // a string always encodes
		return text
	}
	return strings.Trim(strings.TrimSuffix(b.String(), "\n"), `"`)
}

// Mark is what stands where the value of a variable stood.
func Mark(name string) string { return "[" + name + " redacted]" }

// Text returns a text without the secrets.
func (r *Redactor) Text(text string) string {
	if r == nil || len(r.values) == 0 {
		return text
	}
	return r.replacer.Replace(text)
}

// Bytes is Text for bytes; what it returns may be p itself.
func (r *Redactor) Bytes(p []byte) []byte {
	if r == nil || !slices.ContainsFunc(r.values, func(v value) bool { return bytes.Contains(p, []byte(v.text)) }) {
		return p
	}
	return []byte(r.replacer.Replace(string(p)))
}
