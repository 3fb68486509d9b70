package markdown

import (
	"bytes"
	"slices"
	"strings"
)

// Section returns the text below the first heading with that title, up to the next heading of the same or a
// higher level. Neither the case of the title nor white space around it matters.
func (d *Document) Section(title string) ([]byte, bool) {
	s, ok := d.section(title)
	if !ok {
		return nil, false
	}
	return d.view(span{s.text, s.End}), true
}

// CodeBlock returns the content of the first fenced code block in the section with that title whose info
// string begins with one of the languages, in any case; without languages, of the first block. Indentation
// and quote marks of what is around the block are not part of it.
func (d *Document) CodeBlock(title string, langs ...string) ([]byte, bool) {
	s, ok := d.section(title)
	if !ok {
		return nil, false
	}
	for _, b := range d.parseOutline().blocks {
		if b.offset >= s.text && b.offset < s.End && (len(langs) == 0 || isAny(b.lang, langs)) {
			return b.lines.Value(d.Body()), true
		}
	}
	return nil, false
}

// AppendToSection returns the document with text at the end of the section with that title, behind one blank
// line and with one line ending behind it. The text goes in as it is. A missing section is made at the end
// of the file, as "## title". What the file leaves open at its end, a code fence or a comment, is closed
// first: the text would be swallowed.
func (d *Document) AppendToSection(title string, text []byte) *Document {
	s, ok := d.section(title)
	if !ok {
		heading := "## " + strings.TrimSpace(title) + d.eol() + d.eol()
		return d.insert(len(d.src), slices.Concat([]byte(heading), text))
	}
	return d.insert(s.End, text)
}

// insert puts text behind the last line before an offset that is not blank.
func (d *Document) insert(offset int, text []byte) *Document {
	eol := []byte(d.eol())
	before := d.src[d.body:offset]
	at := len(bytes.TrimRight(before, " \t\r\n"))
	if at > 0 {
		at = lineEnd(before, at)
	}
	var gap []byte
	if at > 0 && before[at-1] != '\n' {
		gap = append(gap, eol...)
	}
	// An open fence or comment would swallow what is added.
	if closer := d.parseOutline().closer; closer != "" && offset == len(d.src) {
		gap = slices.Concat(gap, []byte(closer), eol)
	}
	if at > 0 {
		gap = append(gap, eol...)
	}
	text = slices.Concat(bytes.TrimRight(text, "\r\n"), eol)
	after := d.src[d.body+at:]
	if offset < len(d.src) && d.body+at == offset {
		// The next heading keeps its distance.
		text = append(text, eol...)
	}
	return d.WithBody(slices.Concat(before[:at], gap, text, after))
}

// DropSections returns the document without the sections whose title is one of these, in any case.
func (d *Document) DropSections(titles ...string) *Document {
	var kept []byte
	at := d.body
	for _, s := range d.parseOutline().sections {
		if s.Start < at || !isAny(s.Text, titles) {
			continue
		}
		kept = d.joinParts(kept, d.src[at:s.Start])
		at = s.End
	}
	if at == d.body {
		return d
	}
	return d.WithBody(d.joinParts(kept, d.src[at:]))
}

// joinParts returns two parts of a body as one. A heading marked by underlining would take the paragraph before
// it for its own first lines, so a blank line goes between.
func (d *Document) joinParts(before, after []byte) []byte {
	if len(before) == 0 || len(after) == 0 {
		return slices.Concat(before, after)
	}
	last := before[lineStart(before, len(before)-1):]
	if isBlank(last) || after[0] == '#' {
		return slices.Concat(before, after)
	}
	// A heading that is marked by a line below it would take the paragraph before it for its own first lines.
	return slices.Concat(before, []byte(d.eol()), after)
}

// section returns the first section with that title.
func (d *Document) section(title string) (section, bool) {
	sections := d.parseOutline().sections
	i := slices.IndexFunc(sections, func(s section) bool { return isAny(s.Text, []string{title}) })
	if i < 0 {
		return section{}, false
	}
	return sections[i], true
}

// isAny reports whether text is one of the names, case and white space around them aside.
func isAny(text string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(text, strings.TrimSpace(name)) })
}
