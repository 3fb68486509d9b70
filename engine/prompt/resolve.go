package prompt

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Finder finds a prompt by its name: the project's own before the shipped one, or with
// shipped that one alone.
type Finder func(name string, shipped bool) (Prompt, error)

// Text is the body of a prompt with what it extends, variables not filled in. Errors:
// *markdown.SyntaxError about the line that extends, for a circle, which it names, and
// for a prompt that cannot be found; those of find about a prompt that is there.
func (p Prompt) Text(find Finder) (string, error) { return p.text(find, nil) }

// text resolves a prompt that the ones in below extend, each through the one behind it.
func (p Prompt) text(find Finder, below []Prompt) (string, error) {
	if p.Extends == "" {
		return p.body, nil
	}
	below = append(below, p)
	itself := p.Extends == p.Name && !p.Shipped
	parent, err := find(p.Extends, itself)
	if missing, ok := errors.AsType[*MissingError](err); ok {
		return "", p.wrong(p.doc.KeyLine("extends"), fmt.Sprintf("extends %s, %s", quote(p.Extends), missing.Msg))
	}
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(below, func(b Prompt) bool { return b.Name == parent.Name && b.Shipped == parent.Shipped })
	if at >= 0 {
		return "", circle(append(below[at:], parent))
	}
	above, err := parent.text(find, below)
	if err != nil {
		return "", err
	}
	place := marker.FindStringIndex(p.body) // Parse has seen it
	return p.body[:place[0]] + strings.TrimRight(above, "\r\n") + p.body[place[1]:], nil
}

// circle is the error about prompts that extend each other, told where a person can mend
// it: what the program carries makes no circle alone.
func circle(all []Prompt) error {
	at := max(0, slices.IndexFunc(all, func(p Prompt) bool { return !p.Shipped }))
	return all[at].wrong(all[at].doc.KeyLine("extends"), "extends in a circle: "+chain(all))
}

// MissingError says that there is no prompt of a name.
type MissingError struct{ Name, Msg string }

// Error names the prompt.
func (e *MissingError) Error() string { return "prompt " + quote(e.Name) + ": " + e.Msg }

// chain spells prompts that extend each other.
func chain(all []Prompt) string {
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
		if p.Shipped {
			names[i] += " (shipped)"
		}
	}
	return strings.Join(names, " -> ")
}

func quote(text string) string { return strconv.Quote(text) }
