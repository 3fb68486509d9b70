package prompt

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Finder finds a prompt by its name: the project's own before the shipped one, or with
// shipped only the latter.
type Finder func(name string, shipped bool) (Prompt, error)

// Text is the body of a prompt including the prompts that it extends, without the values of variables. Errors:
// *markdown.SyntaxError with the line of `extends` for a circle, which it names, and for a prompt that does not exist;
// otherwise those of find.
func (p Prompt) Text(find Finder) (string, error) { return p.text(find, nil) }

// text resolves a prompt. Each prompt in below extends the next one, and the last extends this one.
func (p Prompt) text(find Finder, below []Prompt) (string, error) {
	if p.Extends == "" {
		return p.body, nil
	}
	below = append(below, p)
	// A project's prompt that extends its own name extends the shipped one; otherwise it would be a circle.
	itself := p.Extends == p.Name && !p.Shipped
	parent, err := find(p.Extends, itself)
	if missing, ok := errors.AsType[*MissingError](err); ok {
		return "", p.errorAt(p.doc.KeyLine("extends"), fmt.Sprintf("extends %s, %s", quote(p.Extends), missing.Msg))
	}
	if err != nil {
		return "", err
	}
	// A shipped prompt is another one than the project's of the same name.
	at := slices.IndexFunc(below, func(b Prompt) bool { return b.Name == parent.Name && b.Shipped == parent.Shipped })
	if at >= 0 {
		return "", circleError(append(below[at:], parent))
	}
	above, err := parent.text(find, below)
	if err != nil {
		return "", err
	}
	// Parse has refused a prompt without the marker.
	place := marker().FindStringIndex(p.body)
	return p.body[:place[0]] + strings.TrimRight(above, "\r\n") + p.body[place[1]:], nil
}

// circleError returns the error for prompts that extend each other, with the line of a prompt that a person can edit.
func circleError(all []Prompt) error {
	// Shipped prompts alone form no circle, so that one of these is a file that a person can edit.
	at := max(0, slices.IndexFunc(all, func(p Prompt) bool { return !p.Shipped }))
	return all[at].errorAt(all[at].doc.KeyLine("extends"), "extends in a circle: "+chain(all))
}

// MissingError says that a prompt does not exist.
type MissingError struct{ Name, Msg string }

// Error names the prompt.
func (e *MissingError) Error() string { return "prompt " + quote(e.Name) + ": " + e.Msg }

// chain joins the names of prompts that extend each other.
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
