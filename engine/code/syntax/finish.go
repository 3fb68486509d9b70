package syntax

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chant/engine/code/chunk"
)

// finish aligns the chunks with lines, adds what is between them and their edges, and divides long ones.
func (w *walker) finish() []chunk.Chunk {
	// Members are found after their types, but may begin before them, with their comments.
	slices.SortStableFunc(w.found, func(a, b piece) int { return a.Start - b.Start })
	w.align()
	var all []chunk.Chunk
	var around []piece // declarations that are open
	at := 0
	fill := func(to int) {
		// Types that end before this place are closed.
		for len(around) > 0 && around[len(around)-1].whole <= at {
			around = around[:len(around)-1]
		}
		for at < to {
			end := to
			if len(around) > 0 {
				end = min(to, max(around[len(around)-1].whole, at))
			}
			if c, ok := w.restChunk(at, end, around); ok {
				all = append(all, w.divide(c)...)
			}
			at = end
			if len(around) > 0 && around[len(around)-1].whole <= at {
				around = around[:len(around)-1]
			}
		}
	}
	for _, p := range w.found {
		fill(p.Start)
		// Two declarations may be one to the grammar, such as a type with its variable.
		if p.End <= p.Start {
			continue
		}
		for len(around) > 0 && around[len(around)-1].whole <= p.Start {
			around = around[:len(around)-1]
		}
		w.setLinesAndEdges(&p, around)
		all = append(all, w.divide(p.Chunk)...)
		at = p.End
		if p.whole > p.End {
			around = append(around, p)
		}
	}
	fill(len(w.src))
	return all
}

// align extends chunks to whole lines, and cuts what two would cover.
func (w *walker) align() {
	last := 0
	for i := range w.found {
		p := &w.found[i]
		// Indentation before a declaration belongs to its line.
		for p.Start > last && (w.src[p.Start-1] == ' ' || w.src[p.Start-1] == '\t') {
			p.Start--
		}
		p.Start = max(p.Start, last)
		// A type whose first member begins here is only its header.
		if i+1 < len(w.found) && w.found[i+1].Start <= p.End {
			p.End = w.found[i+1].Start
			for p.End > p.Start && (w.src[p.End-1] == ' ' || w.src[p.End-1] == '\t') {
				p.End--
			}
		} else {
			p.End = w.lineEnd(p.End, i)
		}
		p.whole = max(p.whole, p.End)
		p.End = max(p.End, p.Start)
		last = p.End
	}
}

// lineEnd returns the end of the line of a byte, if only marks and a comment follow it there.
func (w *walker) lineEnd(at, i int) int {
	end := len(w.src)
	if n := strings.IndexByte(w.src[at:], '\n'); n >= 0 {
		end = at + n + 1
	}
	rest := strings.TrimLeft(w.src[at:end], " \t\r;,)")
	if rest != "" && rest != "\n" && !strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "#") {
		return at
	}
	if at > 0 && w.src[at-1] == '\n' || i+1 < len(w.found) && w.found[i+1].Start < end {
		return at
	}
	return end
}

// setLinesAndEdges sets the lines and edges of a chunk.
func (w *walker) setLinesAndEdges(p *piece, around []piece) {
	p.StartLine, p.EndLine = w.line(p.Start), w.line(p.End-1)
	own := ""
	if p.Kind.IsType() {
		own = p.Name()
	} else if before, _, ok := cutLast(p.Breadcrumb, " > "); ok {
		_, own, _ = cutLast(before, " > ")
		if own == "" {
			own = before
		}
	}
	own = strings.TrimSuffix(own, " (extension)")
	set := &edgeSet{}
	for _, name := range p.Inherits {
		last, of := lastName(name)
		set.add(chunk.Inherits, last, of, w.line(int(w.tree.Nodes[p.node].Start)))
	}
	w.addUses(set, p.node, p.last, p.Start, p.End, own)
	p.Edges = set.list
}

func cutLast(text, by string) (before, after string, ok bool) {
	if i := strings.LastIndex(text, by); i >= 0 {
		return text[:i], text[i+len(by):], true
	}
	return text, "", false
}

// restChunk returns the chunk of what is between declarations, if that has a word.
func (w *walker) restChunk(start, end int, around []piece) (chunk.Chunk, bool) {
	text := w.src[start:end]
	if blankOf(text) {
		return chunk.Chunk{}, false
	}
	for start < end {
		n := strings.IndexByte(w.src[start:end], '\n')
		if n < 0 || !blank(w.src[start:start+n]) {
			break
		}
		start += n + 1
	}
	trimmed := start + len(strings.TrimRight(w.src[start:end], " \t\r\n"))
	if n := strings.IndexByte(w.src[trimmed:end], '\n'); n >= 0 {
		trimmed += n + 1
	} else {
		trimmed = end
	}
	p := piece{}
	p.Kind, p.Start, p.End = chunk.File, start, trimmed
	if len(around) > 0 {
		o := around[len(around)-1]
		p.Kind, p.Breadcrumb = chunk.Variable, o.Breadcrumb
		if p.Breadcrumb == "" {
			p.Breadcrumb = o.Name()
		}
		if o.Kind == chunk.Namespace {
			p.Kind = chunk.File
		}
	}
	set := &edgeSet{}
	w.addUses(set, 0, len(w.tree.Nodes), p.Start, p.End, "")
	p.Edges = set.list
	p.Symbols = w.variablesIn(p.Start, p.End)
	p.StartLine, p.EndLine = w.line(p.Start), w.line(p.End-1)
	// The docstring of a module is its first string.
	if start == 0 && w.lang == Python {
		p.Doc = strings.TrimSpace(strings.Join(commentLines(w.docstring(0)), "\n"))
	}
	return p.Chunk, true
}

// blankOf reports whether a text has no word, or only words that end a block.
func blankOf(text string) bool {
	if t := strings.TrimSpace(text); t == "end" || t == "<?php" || t == "?>" {
		return true
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "}") || strings.HasPrefix(line, "#if") || strings.HasPrefix(line, "#e") || closesBlocks(line) {
			continue
		}
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return false
		}
	}
	return true
}

// closesBlocks reports whether a line of Ruby ends blocks and nothing else.
func closesBlocks(line string) bool {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ';' })
	for _, word := range words {
		if word != "end" {
			return false
		}
	}
	return len(words) > 0
}

// divide cuts a chunk that is too long where its blocks begin, or else its lines.
func (w *walker) divide(c chunk.Chunk) []chunk.Chunk {
	if c.End-c.Start <= chunk.MaxBytes {
		return []chunk.Chunk{c}
	}
	var parts []chunk.Chunk
	start := c.Start
	for start < c.End {
		end := c.End
		if end-start > chunk.MaxBytes {
			end = w.cut(start, start+chunk.MaxBytes)
		}
		part := c
		part.Start, part.End, part.StartLine, part.EndLine = start, end, w.line(start), w.line(end-1)
		part.Edges = nil
		for _, e := range c.Edges {
			if e.Line >= part.StartLine && e.Line <= part.EndLine {
				part.Edges = append(part.Edges, e)
			}
		}
		parts = append(parts, part)
		start = end
	}
	return parts
}

// cut returns where a chunk that starts at a byte and must end before another is cut: the least indented line in the
// second half.
func (w *walker) cut(start, most int) int {
	best, least := 0, 1<<30
	for l := w.line(most) - 1; l > 0 && w.lines[l] > start+chunk.MaxBytes/2; l-- {
		if w.lines[l] > most {
			continue
		}
		line, _, _ := strings.Cut(w.src[w.lines[l]:], "\n")
		text := strings.TrimLeft(line, " \t")
		// A closing brace belongs to what is before it.
		if indent := len(line) - len(text); text != "" && text[0] != '}' && indent < least {
			best, least = w.lines[l], indent
		}
	}
	if best > start {
		return best
	}
	// The cut must not divide a character.
	for most > start+1 && !utf8.RuneStart(w.src[most]) {
		most--
	}
	return most
}
