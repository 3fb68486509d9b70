// Package secret finds the secret values of an environment and removes them from texts. It
// recognizes them by the names of their variables and by the text before them, and replaces
// them by value, so that it does not matter which program printed them.
//
// It never reads an environment or a file of its own, and it is not a guard against a
// malicious program: a value that is encoded or cut in two is not found.
//
// # Rules
//
//   - What is found is replaced by the name of its variable, so that a reader of a
//     log sees which one it was.
//   - A value is found as it is, and as JSON, JSON in JSON and URLs spell it.
//   - Where values overlap, nothing of any of them stays.
//   - A text that comes in pieces becomes what it becomes as a whole.
//   - Short values, numbers, words such as true, and paths are no secrets: to take
//     them out would spoil what an agent says and hide nothing.
//   - No text that has no value in it changes.
//
// # Decisions
//
// 2026-11-20: secrets are known by the name of a variable, and in any variable as the part
// before the host of an address, after a name such as password, or in an authorization
// header; rejected: guessing by how random a value looks, which takes hashes of
// commits and files out of every log.
//
// 2026-11-23: what would be written into a file is suspected by its look as well (Suspect),
// since a refusal costs its author one line, and a secret in a commit stays there.
package secret

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Redactor takes the secrets of one environment out of texts. A nil one, like one
// without secrets, changes nothing. It may be used from several goroutines.
type Redactor struct {
	find func() []value // the secrets, which are looked for when a text is first redacted
}

// value is one spelling of a secret, and its replacement.
type value struct{ text, place string }

// From finds the secrets of an environment, each entry K=V.
func From(environ ...string) *Redactor {
	// The caller may change its slice before the first text is redacted.
	environ = slices.Clone(environ)
	return &Redactor{sync.OnceValue(func() []value {
		var values []value
		for _, entry := range environ {
			name, text, _ := strings.Cut(entry, "=")
			for _, found := range secretsIn(name, settingOf(name, environ), text) {
				values = appendSpellings(values, Mark(name), found)
			}
		}
		return values
	})}
}

// values are all secrets in all spellings.
func (r *Redactor) values() []value {
	if r == nil || r.find == nil {
		return nil
	}
	return r.find()
}

// minSaid is the length in bytes from which a value named as secret is removed: shorter
// ones appear in too many words by chance.
const minSaid = 6

// And finds the value of one more variable too, whatever its name says.
func (r *Redactor) And(name, text string) *Redactor {
	return &Redactor{sync.OnceValue(func() []value {
		values := slices.Clone(r.values())
		if text := strings.TrimSpace(text); len(text) >= minSaid {
			values = appendSpellings(values, Mark(name), text)
		}
		return values
	})}
}

// settingOf is the name that says what a variable holds: of a value for git that of its
// setting, else the variable's own.
func settingOf(name string, environ []string) string {
	number, ok := strings.CutPrefix(name, "GIT_CONFIG_VALUE_")
	if !ok {
		return name
	}
	for _, entry := range environ {
		if key, ok := strings.CutPrefix(entry, "GIT_CONFIG_KEY_"+number+"="); ok {
			return key
		}
	}
	return name
}

// appendSpellings adds the spellings of a secret that are not yet among the values.
func appendSpellings(values []value, place, text string) []value {
	for _, spelling := range spellings(text) {
		if !slices.ContainsFunc(values, func(v value) bool { return v.text == spelling }) {
			values = append(values, value{spelling, place})
		}
	}
	return values
}

// Mark is the replacement for the value of a variable.
func Mark(name string) string { return "[" + name + " redacted]" }

// InSettings returns a text of settings without the secrets that the text before them
// identifies, such as the passwords of addresses.
func InSettings(text string) string { return From("login=" + text).Text(text) }

// Text returns a text without the secrets.
func (r *Redactor) Text(text string) string {
	found := r.matches(text)
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	last := cover{}.writeUntil(&b, text, found)
	b.WriteString(text[last.end:])
	return b.String()
}

// Bytes is Text for bytes; what it returns may be p itself.
func (r *Redactor) Bytes(p []byte) []byte {
	text := string(p)
	if clean := r.Text(text); clean != text {
		return []byte(clean)
	}
	return p
}

// Whole returns a text that was cut at its end without what may be the beginning of a
// secret there.
func (r *Redactor) Whole(text string) string { return text[:r.begins(text)] }

// Any reports whether there is a secret to look for.
func (r *Redactor) Any() bool { return len(r.values()) > 0 }

// Found is a secret in a text.
type Found struct {
	Name string // of the variable
	Line int
}

// Find lists the secrets in a text, each once for each line.
func (r *Redactor) Find(text string) []Found {
	var out []Found
	line, last := 1, 0
	for _, m := range r.matches(text) {
		line, last = line+strings.Count(text[last:m.start], "\n"), m.start
		name := strings.TrimSuffix(strings.TrimPrefix(m.place, "["), " redacted]")
		if f := (Found{name, line}); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// match is the position of a value in a text.
type match struct {
	start, end int
	place      string
}

// matches returns the positions of values, also nested ones, from the left; of values that
// begin together the longest is first.
func (r *Redactor) matches(text string) []match {
	if r == nil {
		return nil
	}
	var found []match
	for _, v := range r.values() {
		for from := 0; ; {
			i := strings.Index(text[from:], v.text)
			if i < 0 {
				break
			}
			found = append(found, match{from + i, from + i + len(v.text), v.place})
			// Matches may overlap, so the search goes on one byte later.
			from += i + 1
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		// The longest comes first, or the rest of it would stay.
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	return found
}

// cover is how much of a text is written, and the match at its end, if any.
type cover struct {
	end   int
	place string
}

// writeUntil writes a text up to the end of the last match, with the places of the matches.
// A match inside others is skipped.
func (c cover) writeUntil(b *strings.Builder, text string, found []match) cover {
	for _, m := range found {
		if m.end <= c.end {
			continue
		}
		if m.start >= c.end {
			b.WriteString(text[c.end:m.start])
		}
		// Overlapping values of one variable leave one mark.
		if m.start >= c.end || m.place != c.place {
			b.WriteString(m.place)
		}
		c = cover{m.end, m.place}
	}
	return c
}

// begins is where the first secret begins whose end is not in the text any more, or the
// text's length.
func (r *Redactor) begins(text string) int {
	first := len(text)
	if r == nil {
		return first
	}
	for _, v := range r.values() {
		for at := max(0, len(text)-len(v.text)+1); at < first; at++ {
			i := strings.IndexByte(text[at:first], v.text[0])
			if i < 0 {
				break
			}
			if at += i; strings.HasPrefix(v.text, text[at:]) {
				first = at
			}
		}
	}
	return first
}
