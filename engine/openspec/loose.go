package openspec

import (
	"strings"

	"chant/engine/openspec/ecma"
)

// looseLines lists the lines of a spec that belong to nothing it consists of: its title, its
// purpose, and of each requirement the heading, the statement and the items of scenarios. A
// spec is only deleted if there are none, because the author of the removal may not
// know of them.
func looseLines(p parts) []string {
	loose := looseAbove(p.before)
	for _, piece := range []string{p.preamble, p.after} {
		for _, l := range strings.Split(piece, "\n") {
			loose = append(loose, ecma.Trim(l))
		}
	}
	for _, b := range p.blocks {
		heading, _ := foreignTail(b)
		loose = append(loose, heading)
		loose = append(loose, looseInside(b)...)
	}
	var kept []string
	seen := map[string]bool{"": true}
	for _, l := range loose {
		if !seen[l] {
			kept = append(kept, l)
		}
		seen[l] = true
	}
	return kept
}

// looseAbove looks at what precedes the requirements.
func looseAbove(text string) []string {
	var loose []string
	purpose, titled, above := false, false, ""
	for _, l := range readPage(text) {
		t := ecma.Trim(l.text)
		level, title := 0, ""
		if !l.fenced {
			level, title = shiftedHeading(l.text)
		}
		switch {
		case t == "":
		case level == 2:
			if purpose = ecma.SameTitle(title, "Purpose"); !purpose {
				loose = append(loose, t)
			}
		case !l.fenced && purpose && above != "" && isUnderline(l.text):
			loose, purpose = append(loose, above), false
		case !l.fenced && isHTMLHeading(l.text) && leading(l.text, " ") <= 3:
			loose, purpose = append(loose, t), false
		case level == 1 && !titled && !purpose:
			titled = true
		case level == 1:
			loose, purpose = append(loose, t), false
		case !purpose:
			loose = append(loose, t)
		}
		above = t
	}
	return loose
}

// shiftedHeading reads a heading with a title that may be indented by up to three spaces.
func shiftedHeading(text string) (level int, title string) {
	rest := strings.TrimLeft(text, " ")
	if len(text)-len(rest) > 3 {
		return 0, ""
	}
	level, title, named := headingOf(rest)
	if !named {
		return 0, ""
	}
	return level, title
}

// reader goes through the lines of a requirement and knows which of them are its own.
type reader struct {
	scenario bool // there was a scenario
	items    bool // its items may follow
	item     bool // there was one
	// indent is the column in which the text of the current item starts, or -1.
	indent int
	// paragraph says that a line without indentation can continue the item.
	paragraph bool
}

// looseInside looks at the lines of a requirement.
func looseInside(b *block) []string {
	var loose []string
	r := reader{indent: -1}
	above := ""
	for i, l := range b.body {
		loose = append(loose, r.read(l, above, i > 0))
		above = ecma.Trim(l.text)
	}
	return loose
}

// read returns a text that is not the requirement's own: the line, the one above it, or "".
func (r *reader) read(l line, above string, below bool) string {
	t := ecma.Trim(l.text)
	if t == "" {
		r.items = r.items && !r.item
		r.endItem()
		return ""
	}
	within := r.indent >= 0 && ecma.Column(l.text) >= r.indent
	text := l.text
	if within {
		text = dropIndent(text, r.indent)
	}
	switch {
	case l.fenced:
		if !within {
			r.indent = -1
		}
		r.paragraph = false
		return ""
	case below && above != "" && isUnderline(text):
		r.endItem()
		return above
	case (within || r.paragraph && r.items && !opensBlock(text)) && looseHeading(text) == 0 && !isHTMLHeading(text):
		r.paragraph = !opensBlock(text)
		return ""
	}
	return r.start(l.text, t)
}

func (r *reader) endItem() { r.indent, r.paragraph = -1, false }

// start reads a line that continues nothing.
func (r *reader) start(text, trimmed string) string {
	width, item := itemWidth(text)
	r.endItem()
	if item {
		r.indent, r.paragraph = width, true
	}
	if level, title := shiftedHeading(text); level == 4 {
		if _, ok := ecma.CutFold(title, "Scenario:"); ok {
			r.scenario, r.items, r.item = true, true, false
			return ""
		}
	}
	switch {
	case item && r.items:
		r.item = true
		return ""
	case !r.scenario && (item || !strings.ContainsRune("|<", rune(trimmed[0]))):
		return "" // the statement
	}
	return trimmed
}

// itemWidth is the column in which the text of a list's item starts.
func itemWidth(text string) (width int, ok bool) {
	rest, ok := ecma.CutBullet(ecma.TrimLeft(text))
	after := ecma.TrimLeft(rest)
	if !ok || len(after) == len(rest) {
		return 0, false
	}
	return ecma.Width(text[:len(text)-len(after)]), true
}

// dropIndent removes blanks from the start of a line up to a column.
func dropIndent(text string, columns int) string {
	at := 0
	for i := range len(text) {
		if at >= columns || text[i] != ' ' && text[i] != '\t' {
			return text[i:]
		}
		if text[i] == '\t' {
			at += 4 - at%4
		} else {
			at++
		}
	}
	return ""
}

// opensBlock reports whether a line starts a block of its own, and so ends a paragraph: a
// quotation, a rule, an item, a table or HTML.
func opensBlock(text string) bool {
	rest := strings.TrimLeft(text, " ")
	if len(text)-len(rest) > 3 || rest == "" {
		return false
	}
	if strings.IndexByte("><|", rest[0]) >= 0 {
		return true
	}
	marks := strings.NewReplacer(" ", "", "\t", "").Replace(rest)
	if len(marks) >= 3 && strings.Trim(marks, "-*_") == "" {
		return true
	}
	after, ok := ecma.CutBullet(rest)
	return ok && (after == "" || after[0] == ' ' || after[0] == '\t')
}

// isUnderline recognises the line that makes a heading of the one above it.
func isUnderline(text string) bool {
	rest := ecma.TrimRight(text)
	if leading(rest, " ") > 3 {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	return rest != "" && (strings.Trim(rest, "=") == "" || strings.Trim(rest, "-") == "")
}

func isHTMLHeading(text string) bool {
	rest, ok := ecma.CutFold(ecma.TrimLeft(text), "<h")
	return ok && rest != "" && rest[0] >= '1' && rest[0] <= '6' && (len(rest) == 1 || !wordByte(rest[1]))
}

func leading(text, set string) int { return len(text) - len(strings.TrimLeft(text, set)) }
