package command

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// scanner reads JSON that is written as most programs write it. Whatever it does not read, or is broken, is left to the
// decoder, which is several times slower.
type scanner struct {
	src   string // all strings that are read are parts of it
	at    int
	depth int // of the value that is skipped
}

// deepest is how deep a skipped value may be nested.
const deepest = 100

// scanFile reads a registry, and of its entries names and descriptions; false for one that the decoder must read.
func scanFile(src string) (f file, ok bool) {
	s := &scanner{src: src}
	ok = s.object(func(key string) bool {
		switch key {
		case "version":
			return s.text(&f.Version)
		case "description":
			return s.text(&f.Description)
		case "tools":
			return s.object(func(key string) bool {
				if key == "commands" {
					return s.entries(&f.Tools)
				}
				return s.skip()
			})
		}
		return s.skip()
	})
	if !ok || s.next() != 0 {
		return file{}, false
	}
	return f, true
}

// entries reads the list of commands. The last of several lists counts.
func (s *scanner) entries(t *tools) bool {
	const usual = 400 // bytes of an entry
	t.scanned = make([]Command, 0, len(s.src)/usual)
	line, counted := 1, 0
	return s.list(func() bool {
		s.next()
		from := s.at
		line += strings.Count(s.src[counted:from], "\n")
		counted = from
		var c Command
		if !s.brief(&c) { // the decoder says what is wrong, if the value ends somewhere
			c, s.at = Command{}, from
			if !s.skip() {
				return false
			}
		}
		c.raw, c.line = s.src[from:s.at], line
		t.scanned = append(t.scanned, c)
		return true
	})
}

// brief reads name and description of an entry.
func (s *scanner) brief(c *Command) bool {
	return s.object(func(key string) bool {
		switch key {
		case "c1":
			return s.text(&c.C1)
		case "c2":
			return s.text(&c.C2)
		case "c3":
			return s.text(&c.C3)
		case "description":
			return s.text(&c.Description)
		}
		return s.skip()
	})
}

// next returns the next character that is not blank, 0 at the end.
func (s *scanner) next() byte {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// take moves behind the next character that is not blank if it is this one.
func (s *scanner) take(c byte) bool {
	if s.next() != c {
		return false
	}
	s.at++
	return true
}

// object calls do with each key of an object; do moves behind the value.
func (s *scanner) object(do func(key string) bool) bool {
	if !s.take('{') {
		return false
	}
	if s.take('}') {
		return true
	}
	for {
		key, ok := s.literal()
		if !ok || !s.take(':') || !do(key) {
			return false
		}
		if s.take('}') {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
}

// list calls do at each entry of a list; do moves behind it.
func (s *scanner) list(do func() bool) bool {
	if !s.take('[') {
		return false
	}
	if s.take(']') {
		return true
	}
	for do() {
		if s.take(']') {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
	return false
}

// literal returns what is between the quotes of a string without escapes. Where there is none, it does not move.
func (s *scanner) literal() (string, bool) {
	if s.next() != '"' {
		return "", false
	}
	end := strings.IndexByte(s.src[s.at+1:], '"')
	if end < 0 {
		return "", false
	}
	text := s.src[s.at+1 : s.at+1+end]
	for i := range len(text) {
		if text[i] == '\\' || text[i] < ' ' {
			return "", false
		}
	}
	s.at += end + 2
	return text, true
}

// text reads a string.
func (s *scanner) text(to *string) bool {
	s.next()
	from := s.at
	if text, ok := s.literal(); ok && utf8.ValidString(text) {
		*to = text
		return true
	}
	s.at = from
	return s.skip() && s.src[from] == '"' && json.Unmarshal([]byte(s.src[from:s.at]), to) == nil
}

// skip moves behind a value.
func (s *scanner) skip() bool {
	s.depth++
	defer func() { s.depth-- }()
	switch first := s.next(); {
	case s.depth > deepest:
		return false
	case first == '{':
		return s.object(func(string) bool { return s.skip() })
	case first == '[':
		return s.list(s.skip)
	case first == '"':
		if _, ok := s.literal(); ok {
			return true
		}
		return s.skipString()
	}
	return s.skipWord()
}

// skipString moves behind a string with escapes.
func (s *scanner) skipString() bool {
	from := s.at
	for s.at++; s.at < len(s.src); s.at++ {
		switch s.src[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return json.Valid([]byte(s.src[from:s.at]))
		}
	}
	return false
}

// skipWord moves behind a number, true, false or null.
func (s *scanner) skipWord() bool {
	from := s.at
	for s.at < len(s.src) && strings.IndexByte(",]} \t\r\n", s.src[s.at]) < 0 {
		s.at++
	}
	return json.Valid([]byte(s.src[from:s.at]))
}
