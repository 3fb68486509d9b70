package prompt

import (
	"regexp"
	"slices"
	"strings"
)

// variable is a name between double braces, blanks around it aside, and what other
// template languages write there as blocks.
var variable = regexp.MustCompile(`\{\{[ \t]*([#/]?[A-Za-z][A-Za-z0-9_.]*)(?:[ \t][^{}\r\n]*)?\}\}`)

// Fill puts values in the places of variables, by their names. A variable without a
// value stays as it is, and nothing that is filled in is looked at.
func Fill(text string, values map[string]string) string {
	var out strings.Builder
	at := 0
	for _, use := range uses(text) {
		value, known := values[use.name]
		if !known || !use.plain {
			continue
		}
		out.WriteString(text[at:use.start])
		out.WriteString(value)
		at = use.end
	}
	out.WriteString(text[at:])
	return out.String()
}

// use is a place of a text that names a variable.
type use struct {
	name       string
	start, end int
	plain      bool // nothing but the name stands between the braces
}

// uses lists the places that name something, in order.
func uses(text string) []use {
	var out []use
	for _, m := range variable.FindAllStringSubmatchIndex(text, -1) {
		u := use{name: text[m[2]:m[3]], start: m[0], end: m[1]}
		u.plain = strings.TrimSpace(strings.Trim(text[u.start:u.end], "{}")) == u.name
		out = append(out, u)
	}
	return out
}

// Use is a word in a prompt that no variable has for its name.
type Use struct {
	Name string // as it is between the braces
	Line int    // of the prompt's file
}

// Unknown lists what a prompt names as variables and chant does not fill in, in the order
// of the file. What it extends has places of its own, and `${{ github.ref }}` is meant for
// someone else.
func (p Prompt) Unknown() []Use {
	var out []Use
	for _, u := range uses(p.body) {
		if u.start > 0 && p.body[u.start-1] == '$' {
			continue
		}
		if u.plain && slices.ContainsFunc(Variables(), func(v Variable) bool { return v.Name == u.name }) {
			continue
		}
		out = append(out, Use{strings.TrimSpace(strings.Trim(p.body[u.start:u.end], "{}")), p.lineOf(u.start)})
	}
	return out
}
