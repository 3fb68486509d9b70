package outline

import (
	"strings"

	"chant/engine/code/chunk"
)

// This file divides files of any programming language into chunks by the looks of their lines. It serves where there is
// no grammar for a language, or the grammar gave up.
//
// Rules:
//
//   - It never fails. A line that starts like a declaration in common languages is one; how far it reaches follows from
//     braces, indentation or the word "end".
//   - The rest is divided into windows of at most 60 lines, of kind File.
//
// Decisions:
//
//   - 2026-11-23: Words at the starts of lines, compared by hand. Rejected: regular expressions for each language, which
//     took ten times as long.

// windowLines is the number of lines of a chunk without a declaration.
const windowLines = 60

// scanChunks returns the pieces of a file in a language, which is a name such as "lua". Text and "" have no declarations.
func scanChunks(lang string, src []byte) []chunk.Chunk {
	s := &scanner{src: string(src), plain: lang == "" || lang == "text" || lang == "plaintext", lang: lang}
	s.readLines()
	// The bound keeps brackets that nothing closes from making this quadratic.
	s.left = 100*len(s.lines) + 10_000
	for i := 0; i < len(s.lines); {
		i = s.read(i)
	}
	s.windows(s.done, len(s.lines))
	return s.chunks
}

// scanner goes through the lines of a file.
type scanner struct {
	src    string
	lang   string
	plain  bool
	lines  []line
	chunks []chunk.Chunk
	done   int     // the first line that is in no chunk yet
	types  []group // around the current line
	left   int     // how many lines may still be read in search of ends: brackets that nothing closes must not take long
}

// line is a line of the file.
type line struct {
	start, end int    // bytes, with the line feed
	text       string // without white space around it
	indent     int    // a tab counts 4
}

// group is a type or namespace whose members are read.
type group struct {
	name string
	kind chunk.Kind
	end  int // the line after it
}

func (s *scanner) readLines() {
	for start := 0; start < len(s.src); {
		end := len(s.src)
		if n := strings.IndexByte(s.src[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		l := line{start: start, end: end, text: strings.TrimSpace(s.src[start:end])}
		for _, b := range []byte(s.src[start:end]) {
			if b == '\t' {
				l.indent += 4
			} else if b == ' ' {
				l.indent++
			} else {
				break
			}
		}
		s.lines = append(s.lines, l)
		start = end
	}
}

// read looks at a line and returns the next one to look at.
func (s *scanner) read(i int) int {
	for len(s.types) > 0 && s.types[len(s.types)-1].end <= i {
		s.types = s.types[:len(s.types)-1]
	}
	if s.plain {
		return len(s.lines)
	}
	d, ok := parseDeclaration(s.lines[i].text)
	// Deeper types are mostly broken files.
	if !ok || len(s.types) >= maxDepth {
		return i + 1
	}
	first := s.commentsAbove(i)
	end := s.extent(i)
	// A weak word on a line alone, without a body, is prose.
	if end == i+1 && !d.kind.IsCallable() && !strings.ContainsAny(s.lines[i].text, "{}();=") && d.weak {
		return i + 1
	}
	s.windows(s.done, first)
	if d.kind.IsCallable() {
		s.add(d, first, i, end)
		return end
	}
	header := end
	// The header of a type ends where the first member begins, with the comments above that.
	for j := i + 1; j < end; j++ {
		if _, ok := parseDeclaration(s.lines[j].text); ok {
			header = max(s.commentsAbove(j), i+1)
			break
		}
	}
	s.add(d, first, i, header)
	s.types = append(s.types, group{d.name, d.kind, end})
	return header
}

// maxDepth limits the depth of types within types.
const maxDepth = 50

// add adds the chunk of a declaration in a line; its comments start at the line first.
func (s *scanner) add(d declaration, first, at, end int) {
	c := chunk.Chunk{Kind: d.kind, Symbols: []string{d.name}, Doc: s.doc(first, at)}
	var crumbs []string
	for _, g := range s.types {
		crumbs = append(crumbs, g.name)
		if g.kind.IsType() && c.Kind == chunk.Function {
			c.Kind = chunk.Method
		}
	}
	if len(crumbs) > 0 {
		c.Breadcrumb = strings.Join(append(crumbs, d.name), " > ")
	}
	c.Signature = strings.TrimRight(strings.Join(strings.Fields(s.lines[at].text), " "), " ({;:=")
	if len(c.Signature) > 400 {
		c.Signature = strings.ToValidUTF8(c.Signature[:400], "") + "…"
	}
	s.split(c, first, end, at)
	s.done = end
}

// windows adds chunks for lines without declarations.
func (s *scanner) windows(from, to int) {
	for from < to {
		for from < to && s.lines[from].text == "" {
			from++
		}
		end := min(to, from+windowLines)
		if s.hasWord(from, end) {
			last := end
			for last > from && s.lines[last-1].text == "" {
				last--
			}
			c := chunk.Chunk{Kind: chunk.File}
			if len(s.types) > 0 && s.types[len(s.types)-1].end >= to {
				g := s.types[len(s.types)-1]
				c.Breadcrumb = g.name
				if g.kind.IsType() {
					c.Kind = chunk.Variable
				}
			}
			s.split(c, from, last, -1)
		}
		from = end
	}
	s.done = max(s.done, to)
}

// hasWord reports whether a line has more than what ends a block.
func (s *scanner) hasWord(from, to int) bool {
	for _, l := range s.lines[from:to] {
		if l.text != "end" && strings.Trim(l.text, "{}()[];,.-=*/#") != "" {
			return true
		}
	}
	return false
}

// split adds a chunk with some lines, or several if they have too many bytes.
func (s *scanner) split(c chunk.Chunk, from, to, at int) {
	for from < to {
		start, end := s.lines[from].start, s.lines[from].end
		n := from + 1
		for n < to && s.lines[n].end-start <= chunk.MaxBytes {
			end = s.lines[n].end
			n++
		}
		// A single line may be longer than a chunk.
		for ; end-start > chunk.MaxBytes; start += chunk.MaxBytes {
			part := c
			part.Start, part.End, part.StartLine, part.EndLine = start, start+chunk.MaxBytes, from+1, from+1
			s.chunks = append(s.chunks, part)
		}
		part := c
		part.Start, part.End, part.StartLine, part.EndLine = start, end, from+1, n
		part.Edges = s.edges(from, n, at)
		s.chunks = append(s.chunks, part)
		from = n
	}
}
