package engine

import (
	"bytes"
	"strconv"
	"strings"
)

// tomlKey is a key or table that a TOML text defines, by its path from the top.
type tomlKey struct {
	path  []string // no more than maxTOMLPath parts of it
	at    int      // where it stands, in bytes
	table bool     // a [header], which may be added to
}

// maxTOMLPath is how much of a path tells whether a server is meant.
const maxTOMLPath = 3

// scanTOML finds every key and table. It knows where strings, arrays and inline
// tables end, so that nothing inside a string or a comment counts, but judges
// neither values nor duplicates: Codex does. Error: Invalid, with name:line.
func scanTOML(name string, src []byte) ([]tomlKey, error) {
	s := &tomlScanner{name: name, src: bytes.TrimPrefix(src, []byte(byteOrderMark))}
	for s.blank(); s.at < len(s.src); s.blank() {
		s.statement()
		if s.err != nil {
			return nil, s.err
		}
	}
	return s.keys, nil
}

// tomlScanner walks a text once. The first error stops it: every step looks at
// what stands at the place, and after an error that is the end.
type tomlScanner struct {
	name  string
	src   []byte
	at    int
	depth int
	table []string
	keys  []tomlKey
	err   error
}

func (s *tomlScanner) fail(at int, what string) {
	if s.err == nil {
		s.err = notValid(s.name, lineOf(s.src, min(at, len(s.src))), what)
	}
	s.at = len(s.src)
}

func (s *tomlScanner) looking(at string) bool { return bytes.HasPrefix(s.src[s.at:], []byte(at)) }

func (s *tomlScanner) take(what string) bool {
	if !s.looking(what) {
		return false
	}
	s.at += len(what)
	return true
}

func (s *tomlScanner) expect(what string) {
	if !s.take(what) {
		s.fail(s.at, strconv.Quote(what)+" is missing")
	}
}

// spaces skips what may stand inside a line.
func (s *tomlScanner) spaces() {
	for s.take(" ") || s.take("\t") {
	}
}

// blank skips white space, line ends and comments.
func (s *tomlScanner) blank() {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == '#':
			s.skipLine()
		case strings.IndexByte(" \t\r\n", c) >= 0:
			s.at++
		default:
			return
		}
	}
}

func (s *tomlScanner) skipLine() {
	if end := bytes.IndexByte(s.src[s.at:], '\n'); end >= 0 {
		s.at += end
		return
	}
	s.at = len(s.src)
}

// statement is a [table], an [[array of tables]] or a key with its value, and the
// end of the line.
func (s *tomlScanner) statement() {
	if s.looking("[") {
		s.header()
	} else {
		s.pair(s.table, true)
	}
	s.spaces()
	switch {
	case s.at == len(s.src):
	case s.looking("#"):
		s.skipLine()
	case s.looking("\n"), s.looking("\r\n"):
	default:
		s.fail(s.at, "the line goes on where it should end")
	}
}

func (s *tomlScanner) header() {
	from, closing := s.at, "]"
	s.expect("[")
	if s.take("[") {
		closing = "]]"
	}
	path := s.key()
	s.expect(closing)
	s.table = path
	s.keys = append(s.keys, tomlKey{path: path, at: from, table: closing == "]"})
}

// pair is a key and its value. Inside an array a key has no path and is not
// recorded.
func (s *tomlScanner) pair(table []string, record bool) {
	from := s.at
	path := append(table[:len(table):len(table)], s.key()...)
	path = path[:min(len(path), maxTOMLPath)]
	s.expect("=")
	s.spaces()
	if record {
		s.keys = append(s.keys, tomlKey{path: path, at: from})
	}
	s.value(path, record)
}

// key is one or more names with dots between them.
func (s *tomlScanner) key() []string {
	var path []string
	for s.err == nil {
		s.spaces()
		if part := s.keyName(); len(path) < maxTOMLPath {
			path = append(path, part)
		}
		s.spaces()
		if !s.take(".") {
			break
		}
	}
	return path
}

func (s *tomlScanner) keyName() string {
	from := s.at
	if s.looking(`"`) || s.looking(`'`) {
		s.quoted(s.src[s.at : s.at+1])
		text := string(s.src[from:s.at])
		if name, err := strconv.Unquote(text); err == nil {
			return name
		}
		return strings.Trim(text, `"'`)
	}
	for s.at < len(s.src) && isTOMLBare(s.src[s.at]) {
		s.at++
	}
	if s.at == from {
		s.fail(from, "a key is missing")
	}
	return string(s.src[from:s.at])
}

func isTOMLBare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}
