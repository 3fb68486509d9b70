package engine

import (
	"bytes"
	"strconv"
	"strings"
)

// maxTOMLDepth bounds arrays and inline tables in each other.
const maxTOMLDepth = 100

// value skips a value, and records the keys of an inline table.
func (s *tomlScanner) value(path []string, record bool) {
	if s.depth++; s.depth > maxTOMLDepth {
		s.fail(s.at, "values are nested too deep")
	}
	defer func() { s.depth-- }()
	switch {
	case s.looking(`"""`), s.looking(`'''`):
		s.quoted(s.src[s.at : s.at+3])
	case s.looking(`"`), s.looking(`'`):
		s.quoted(s.src[s.at : s.at+1])
	case s.take("["):
		s.list("]", func() { s.value(nil, false) })
	case s.take("{"):
		s.list("}", func() { s.pair(path, record) })
	default:
		s.bare()
	}
}

// list is what stands between brackets, with commas between.
func (s *tomlScanner) list(closing string, item func()) {
	from := s.at
	for s.blank(); s.err == nil && !s.take(closing); s.blank() {
		if s.at < len(s.src) {
			item()
			s.blank()
		}
		switch {
		case s.at == len(s.src):
			s.fail(from, strconv.Quote(closing)+" is missing")
		case !s.take(",") && !s.looking(closing):
			s.fail(s.at, strconv.Quote(closing)+" is missing")
		}
	}
}

// quoted is a string in these quotes. Only three of them span lines, and only
// double ones know escapes.
func (s *tomlScanner) quoted(quote []byte) {
	from := s.at
	for s.at += len(quote); s.at < len(s.src); s.at++ {
		switch c := s.src[s.at]; {
		case c == '\\' && quote[0] == '"':
			s.at++
		case c == '\n' && len(quote) == 1:
			s.fail(from, "the string has no end")
			return
		case bytes.HasPrefix(s.src[s.at:], quote):
			s.at += len(quote)
			for range 2 { // a long string may end in quotes of its own
				if len(quote) == 3 && s.at < len(s.src) && s.src[s.at] == quote[0] {
					s.at++
				}
			}
			return
		}
	}
	s.fail(from, "the string has no end")
}

// bare is a number, a date or a word.
func (s *tomlScanner) bare() {
	from := s.at
	for s.at < len(s.src) && strings.IndexByte(",]}=#\r\n", s.src[s.at]) < 0 {
		s.at++
	}
	if len(bytes.TrimSpace(s.src[from:s.at])) == 0 {
		s.fail(from, "a value is missing")
	}
}
