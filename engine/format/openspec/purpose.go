package openspec

import (
	"strings"
)

const (
	// minPurpose is the length from which a purpose is not too brief.
	minPurpose = 50
	// placeholderStart and placeholderEnd surround the change's id in the purpose that a
	// new capability gets if its delta has none.
	placeholderStart = "TBD - created by archiving change "
	placeholderEnd   = ". Update Purpose after archive."
)

// purposeOf returns the text of "## Purpose", or "" if nothing in it is prose: comments and
// code do not count, nor does a heading inside them.
func purposeOf(text string) string {
	text = UnixLineEnds(text)
	// Comments are hidden for finding the section, and still are a part of what it says.
	shown := splitPage(hideComments(text))
	at := -1
	for i, l := range shown {
		if l.level == 2 && SameTitle(l.title, "Purpose") {
			at = i
			break
		}
	}
	if at < 0 {
		return ""
	}
	end, prose := at+1, false
	for end < len(shown) && shown[end].level != 2 {
		prose = prose || !shown[end].fenced && Trim(shown[end].text) != ""
		end++
	}
	if !prose {
		return ""
	}
	return Trim(strings.Join(strings.Split(text, "\n")[at+1:end], "\n"))
}

// hideComments overwrites HTML comments with spaces. A comment that nothing closes reaches
// to the end.
func hideComments(text string) string {
	var b strings.Builder
	for {
		start := strings.Index(text, "<!--")
		if start < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:start])
		text = text[start:]
		end := commentEnd(text)
		b.WriteString(strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, text[:end]))
		text = text[end:]
	}
}

// commentEnd is where the comment ends with which a text starts. Its end may be written in
// two ways.
func commentEnd(text string) int {
	for at := len("<!--"); ; at++ {
		i := strings.Index(text[at:], "--")
		if i < 0 {
			return len(text)
		}
		at += i
		// Browsers accept both ends.
		for _, mark := range []string{"-->", "--!>"} {
			if strings.HasPrefix(text[at:], mark) {
				return at + len(mark)
			}
		}
	}
}
