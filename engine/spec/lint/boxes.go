package lint

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"chant/engine/spec"
	"chant/markdown"
)

// box matches a list item with something like a box: the part before the box, its mark, and the text after it. A link
// does not match.
var box = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\s*(?:[-*+]|\d+[.)]))\s*\[( ?|[xX])\]\s*([^\s(\[:].*)$`)
})

// lostBoxes lists the lines in the section of criteria that look like a criterion but are not one.
func lostBoxes(doc *markdown.Document) []markdown.Line {
	counted := map[int]bool{}
	for _, t := range doc.Tasks(spec.CriteriaHeading) {
		counted[t.Line] = true
	}
	var out []markdown.Line
	for _, line := range criteriaLines(doc) {
		if !counted[line.Number] && box().MatchString(line.Text) {
			out = append(out, line)
		}
	}
	return out
}

// isCriteriaHeading reports whether a heading is that of criteria alone, with a note in brackets or behind a colon at most.
// Others count as well, such as a title about acceptance criteria, but text below them is not meant as a criterion.
func isCriteriaHeading(h markdown.Heading) bool {
	if !h.Names(spec.CriteriaHeading) {
		return false
	}
	after := strings.TrimSpace(h.Text[len(spec.CriteriaHeading):])
	return after == "" || h.Level > 1 && !unicode.IsLetter([]rune(after)[0])
}

// criteriaLines lists the lines of prose in the sections of criteria.
func criteriaLines(doc *markdown.Document) []markdown.Line {
	var out []markdown.Line
	prose := doc.Prose()
	for _, h := range doc.Headings() {
		if !isCriteriaHeading(h) {
			continue
		}
		// The end is an offset, and findings have lines.
		last := bytes.Count(doc.Bytes()[:h.End], []byte("\n")) + 1
		for _, line := range prose {
			// Sections of criteria can be within each other.
			if line.Number > h.Line && line.Number <= last && !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// fixBoxes corrects the spelling of lost boxes and gives items with a command a box, if that adds exactly these criteria.
func fixBoxes(s *spec.File, doc *markdown.Document, settings Settings) (*markdown.Document, []string, error) {
	// The boxes of closed work are a record.
	if !isOpen(&s.Spec) || settings.SeverityOf("box") == Off {
		return doc, nil, nil
	}
	lines := bytes.SplitAfter(doc.Bytes(), []byte("\n"))
	added := 0
	for _, b := range lostBoxes(doc) {
		m := box().FindStringSubmatch(b.Text)
		ending := lines[b.Number-1][len(b.Text):]
		lines[b.Number-1] = slices.Concat([]byte(m[1]+" ["+cmp.Or(m[2], " ")+"] "+m[3]), ending)
		added++
	}
	for _, b := range boxlessItems(doc) {
		if b.fixed {
			lines[b.line-1] = itemMark().ReplaceAll(lines[b.line-1], []byte("$1 [ ] "))
			added++
		}
	}
	if added == 0 {
		return doc, nil, nil
	}
	next, err := markdown.Parse(doc.Path(), bytes.Join(lines, nil))
	// A corrected line can change how other lines are read.
	if err != nil || len(spec.Criteria(next)) != len(spec.Criteria(doc))+added {
		// A person must correct the boxes.
		return doc, nil, nil //nolint:nilerr
	}
	return next, []string{withNoun(added, "box is now a criterion", "boxes are now criteria")}, nil
}
