package gofile

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"

	"chant/engine/code/chunk"
)

// piece is a declaration on its way to be a chunk, or several if it is too long.
type piece struct {
	chunk.Chunk // without its extent, doc and edges
	node        ast.Node
	doc         *ast.CommentGroup
	from, to    token.Pos
	body        *ast.BlockStmt // of a function
	cuts        []cut          // where it may be divided
	named       []named        // symbols that belong to the part with their byte
}

// cut is a byte at which a piece may be divided; the deeper it is, the less willingly.
type cut struct{ offset, depth int }

type named struct {
	offset int
	name   string
}

// add adds a piece and what was used since the last one.
func (r *reader) add(p piece) {
	defer r.uses.clear()
	start := r.startOf(p.doc, p.from)
	start, end := r.wholeLines(max(start, r.end), max(r.offset(p.to), r.offset(p.from)))
	if start >= end {
		return
	}
	r.end = end
	if end-start > chunk.MostBytes {
		if p.body != nil {
			p.cuts = r.cutsOf(p.body)
		}
		for line := r.lineOf(start); line < r.lineOf(r.offset(p.from)); line++ { // of a long comment
			depth := 3
			if text := bytes.TrimSpace(r.src[r.lines[line-1]:r.lines[line]]); len(text) <= 2 {
				depth = 1
			}
			p.cuts = append(p.cuts, cut{r.lines[line], depth})
		}
	}
	for first := true; start < end; first = false {
		to := r.endOfPart(start, end, p.cuts)
		c := p.Chunk
		c.Start, c.End = start, to
		c.StartLine, c.EndLine = r.lineOf(start), r.lineOf(max(start, to-1))
		c.Doc = r.docOf(p.doc, start, to)
		if !first {
			c.Inherits = nil
		}
		for _, n := range p.named {
			if n.offset >= start && n.offset < to {
				c.Symbols = append(c.Symbols, n.name)
			}
		}
		c.Symbols = slices.Clip(c.Symbols)
		c.Edges = r.uses.edges(start, to)
		r.chunks = append(r.chunks, c)
		start = to
	}
}

// wholeLines extends a range to whole lines, if nothing else is on them but a comment behind it.
func (r *reader) wholeLines(start, end int) (int, int) {
	line := r.lines[r.lineOf(start)-1]
	if line >= r.end && len(bytes.TrimLeft(r.src[line:start], " \t\r\ufeff")) == 0 {
		start = line
	}
	next := len(r.src)
	if n := r.lineOf(max(start, end-1)); n < len(r.lines) {
		next = r.lines[n]
	}
	if end >= next {
		return start, end
	}
	rest := bytes.TrimLeft(bytes.TrimSpace(r.src[end:next]), "; \t")
	inner, isComment := bytes.CutPrefix(rest, []byte("/*"))
	isComment = isComment && bytes.Index(inner, []byte("*/")) == len(inner)-2 && len(inner) > 1
	if len(rest) == 0 || bytes.HasPrefix(rest, []byte("//")) || isComment {
		end = next
	}
	return start, end
}

// endOfPart returns where the part ends that starts at start: at the end if that is not too far, otherwise at one of
// the cuts in the second half of what fits, or else at the end of a line, or of a character.
func (r *reader) endOfPart(start, end int, cuts []cut) int {
	if end-start <= chunk.MostBytes {
		return end
	}
	least, most := start+chunk.MostBytes/2, start+chunk.MostBytes
	best := cut{-1, 1 << 30}
	for _, c := range cuts {
		if at := r.lines[r.lineOf(c.offset)-1]; at > least && at <= most {
			if c.depth < best.depth || c.depth == best.depth && at > best.offset {
				best = cut{at, c.depth}
			}
		}
	}
	if best.offset > 0 {
		return best.offset
	}
	if line := r.lines[r.lineOf(most)-1]; line > start {
		return line
	}
	for at := most; at > most-utf8.UTFMax; at-- {
		if utf8.RuneStart(r.src[at]) {
			return at
		}
	}
	return most
}

// cutsOf returns where the statements of a function start.
func (r *reader) cutsOf(body *ast.BlockStmt) []cut {
	var cuts []cut
	depth := 0
	ast.PreorderStack(body, nil, func(n ast.Node, stack []ast.Node) bool {
		depth = len(stack)
		switch n.(type) {
		case ast.Stmt, *ast.KeyValueExpr, *ast.CompositeLit:
			cuts = append(cuts, cut{r.offset(n.Pos()), depth})
		}
		return true
	})
	return cuts
}

// docOf returns the text of the part of a comment that is in a range.
func (r *reader) docOf(doc *ast.CommentGroup, start, end int) string {
	if doc == nil || r.offset(doc.End()) <= start || r.offset(doc.Pos()) >= end {
		return ""
	}
	if r.offset(doc.Pos()) >= start && r.offset(doc.End()) <= end {
		return strings.TrimSpace(doc.Text())
	}
	part := &ast.CommentGroup{}
	for _, c := range doc.List {
		from, to := r.offset(c.Pos()), r.offset(c.End())
		switch {
		case to <= start || from >= end:
		case from >= start && to <= end:
			part.List = append(part.List, c)
		default: // a comment of several lines is divided
			text := strings.TrimSuffix(strings.TrimPrefix(string(r.src[max(from, start):min(to, end)]), "/*"), "*/")
			part.List = append(part.List, &ast.Comment{Text: "/*" + text + "*/"})
		}
	}
	return strings.TrimSpace(part.Text())
}
