package spec

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"chant/markdown"
)

// HeldOutHeading is the heading of a section with criteria that agents do not see, at any level and in any case.
const HeldOutHeading = "Held-out Criteria"

// CutHeldOut returns a document without its sections with held-out criteria, and the text of these, nil if there are none.
// All other bytes stay as they are. Error: *markdown.SyntaxError if a criterion in them has no command, since no agent could
// tick its box.
func CutHeldOut(doc *markdown.Document) (rest *markdown.Document, sections []byte, err error) {
	var titles []string
	for _, h := range heldOutSections(doc) {
		titles = append(titles, h.Text)
		sections = append(sections, doc.Bytes()[h.Start:h.End]...)
		inside := func(t markdown.Task) bool { return t.Offset >= h.Start && t.Offset < h.End }
		tasks := slices.DeleteFunc(doc.AllTasks(), func(t markdown.Task) bool { return !inside(t) })
		for _, c := range criteriaOf(tasks) {
			if !c.Runs() {
				return doc, nil, &markdown.SyntaxError{Path: doc.Path(), Line: c.Line, Msg: fmt.Sprintf("held-out criterion %q has no command at its end, such as `$ go test ./dates`", Echo(c.Text))}
			}
		}
		if len(tasks) == 0 {
			return doc, nil, &markdown.SyntaxError{Path: doc.Path(), Line: h.Line, Msg: fmt.Sprintf("the section %q has no criterion, such as - [ ] It parses dates `$ go test ./dates`", Echo(h.Text))}
		}
	}
	if sections == nil {
		return doc, nil, nil
	}
	return doc.DropSections(titles...), sections, nil
}

// BlankHeldOut returns a document in which held-out criteria are blank, so that the lines of all else stay the same.
func BlankHeldOut(doc *markdown.Document) *markdown.Document {
	found := heldOutSections(doc)
	if len(found) == 0 {
		return doc
	}
	src := slices.Clone(doc.Bytes())
	for _, h := range found {
		for i := h.Start; i < h.End; i++ {
			if src[i] != '\n' && src[i] != '\r' {
				src[i] = ' '
			}
		}
	}
	blank, err := markdown.Parse(doc.Path(), src)
	if err != nil {
		// Cannot happen: only bytes of the body were changed.
		return doc
	}
	return blank
}

// heldOutSections lists the headings of sections with held-out criteria that are in no other one.
func heldOutSections(doc *markdown.Document) []markdown.Heading {
	// Most documents have none, and need not be parsed for that.
	if !bytes.Contains(bytes.ToLower(doc.Body()), []byte(strings.ToLower(HeldOutHeading))) {
		return nil
	}
	var out []markdown.Heading
	end := 0
	for _, h := range doc.Headings() {
		if h.Start >= end && isHeldOut(h.Text) {
			out, end = append(out, h), h.End
		}
	}
	return out
}

// isHeldOut reports whether a heading is that of held-out criteria; words may follow in brackets.
func isHeldOut(heading string) bool {
	n := len(HeldOutHeading)
	if len(heading) < n || !strings.EqualFold(heading[:n], HeldOutHeading) {
		return false
	}
	after, _ := utf8.DecodeRuneInString(heading[n:])
	return !unicode.IsLetter(after)
}

// HeldOutCriteria lists the criteria of a text that CutHeldOut has cut out, or that a person wrote into a file of its own.
// Their ids say nothing about their texts.
func HeldOutCriteria(path string, text []byte) ([]Criterion, error) {
	doc, err := markdown.Parse(path, text)
	if err != nil {
		return nil, err
	}
	all := criteriaOf(doc.AllTasks())
	for i := range all {
		all[i].ID = fmt.Sprintf("held-out-%d", all[i].Number)
		if !all[i].Runs() {
			// Whoever could tick its box, no agent can: it never holds.
			all[i].Commands = []string{""}
		}
	}
	return all, nil
}

// Tell returns what a held-out criterion lets the next agent know when it fails: what follows `tell:`, up to its command; ""
// for nothing.
func (c Criterion) Tell() string {
	text, _, _ := strings.Cut(c.Text, "`$ ")
	at := tell().FindStringIndex(text)
	if at == nil {
		return ""
	}
	return OneLine(text[at[1]:])
}

var tell = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(?:^|[^\pL\pN_])tell:`) })
