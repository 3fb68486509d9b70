package gofile

import (
	"go/token"
	"strings"
	"unicode/utf8"
)

const mostSignature = 500 // bytes

// oneLine returns the code between two positions on one line, without comments.
func (r *reader) oneLine(from, to token.Pos) string {
	start, end := r.offset(from), r.offset(to)
	if start >= end {
		return ""
	}
	text := string(r.src[start:end])
	if strings.Contains(text, "//") || strings.Contains(text, "/*") {
		text = r.withoutComments(start, end)
	}
	if strings.ContainsAny(text, "\n\t") {
		text = strings.Join(strings.Fields(text), " ")
		text = strings.ReplaceAll(text, "( ", "(")
		text = strings.ReplaceAll(text, ", )", ")")
	}
	return cutText(strings.TrimSpace(text))
}

func (r *reader) withoutComments(start, end int) string {
	var b strings.Builder
	for _, group := range r.file.Comments {
		for _, c := range group.List {
			from, to := r.offset(c.Pos()), r.offset(c.End())
			if from < start || to > end {
				continue
			}
			b.Write(r.src[start:from])
			b.WriteByte(' ')
			start = to
		}
	}
	b.Write(r.src[start:end])
	return b.String()
}

// cutText returns at most mostSignature bytes of a text.
func cutText(text string) string {
	const ellipsis = "…"
	if len(text) <= mostSignature {
		return text
	}
	end := mostSignature - len(ellipsis)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ellipsis
}
