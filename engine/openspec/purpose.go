package openspec

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chant/engine/openspec/ecma"
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
	text = ecma.Unix(text)
	shown := splitPage(hideComments(text))
	at := -1
	for i, l := range shown {
		if l.level == 2 && ecma.SameTitle(l.title, "Purpose") {
			at = i
			break
		}
	}
	if at < 0 {
		return ""
	}
	end, prose := at+1, false
	for end < len(shown) && shown[end].level != 2 {
		prose = prose || !shown[end].fenced && ecma.Trim(shown[end].text) != ""
		end++
	}
	if !prose {
		return ""
	}
	return ecma.Trim(strings.Join(strings.Split(text, "\n")[at+1:end], "\n"))
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
		for _, mark := range []string{"-->", "--!>"} {
			if strings.HasPrefix(text[at:], mark) {
				return at + len(mark)
			}
		}
	}
}

// unwritten reports whether a purpose is a placeholder, and the line of the file on which
// it starts, or 0 if that cannot be found.
func unwritten(purpose, file string) (line int, found bool) {
	prose := ecma.Trim(unfenced(splitPage(purpose)).text())
	marked := startsWithMarker(prose)
	if !marked && placeholderIn(prose) < 0 {
		return 0, false
	}
	return placeholderLine(splitPage(file), marked), true
}

// placeholderLine finds the placeholder below the heading "Purpose": a marker is its first
// line, a generated sentence may follow prose.
func placeholderLine(p page, marked bool) int {
	at := 0
	for ; at < len(p); at++ {
		if level, title := indentedHeading(p[at].text); !p[at].fenced && level == 2 && ecma.SameTitle(title, "Purpose") {
			break
		}
	}
	var text []string
	var lines []int
	for i := at + 1; i < len(p); i++ {
		if p[i].fenced {
			continue
		}
		if level, _ := indentedHeading(p[i].text); level == 1 || level == 2 {
			break
		}
		if marked && ecma.Trim(p[i].text) != "" {
			return i + 1
		}
		text, lines = append(text, p[i].text), append(lines, i+1)
	}
	joined := strings.Join(text, "\n")
	start := placeholderIn(joined)
	if marked || start < 0 {
		return 0
	}
	return lines[strings.Count(joined[:start], "\n")]
}

// indentedHeading reads a heading that may be indented by up to three spaces.
func indentedHeading(text string) (level int, title string) {
	rest := strings.TrimLeft(text, " ")
	if len(text)-len(rest) > 3 {
		return 0, ""
	}
	after := strings.TrimLeft(rest, "#")
	if after == "" || after[0] != ' ' && after[0] != '\t' {
		return 0, ""
	}
	return len(rest) - len(after), strings.Trim(after, " \t")
}

func unfenced(p page) page {
	var kept page
	for _, l := range p {
		if !l.fenced {
			kept = append(kept, l)
		}
	}
	return kept
}

// placeholderIn returns where the generated sentence starts, or -1.
func placeholderIn(text string) int {
	for from := 0; ; {
		end := strings.Index(text[from:], placeholderEnd)
		if end < 0 {
			return -1
		}
		if start := strings.LastIndex(text[:from+end], placeholderStart); start >= 0 {
			return start
		}
		from += end + 1
	}
}

// startsWithMarker recognises TBD and TODO. In lower case they need punctuation or the end
// of the line behind them: "Todo el sistema" is Spanish.
func startsWithMarker(text string) bool {
	for _, marker := range []string{"TBD", "TODO"} {
		rest, ok := ecma.CutFold(text, marker)
		if !ok {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(rest); rest != "" && (next == '_' || unicode.In(next, unicode.L, unicode.N, unicode.M)) {
			continue
		}
		if strings.HasPrefix(text, marker) {
			return true
		}
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" || strings.ContainsRune("\n:-–—.,;()[]{}", []rune(rest)[0]) {
			return true
		}
	}
	return false
}
