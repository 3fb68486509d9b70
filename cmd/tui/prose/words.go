package prose

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// word is a piece of text that is not divided unless it is wider than a line.
type word struct {
	text  string
	style Style
	space bool // a blank follows
}

// brk is the word that ends a line.
const brk = "\n"

// words returns the text of a block as words, each in the style of its place.
func (r renderer) words(block ast.Node, style Style) []word {
	var out []word
	for n := block.FirstChild(); n != nil; n = n.NextSibling() {
		out = append(out, r.inline(n, style)...)
	}
	return out
}

func (r renderer) inline(n ast.Node, style Style) []word {
	switch n := n.(type) {
	case *ast.Text:
		out := split(string(n.Value(r.source)), style)
		switch {
		case n.HardLineBreak():
			out = append(out, word{text: brk})
		case n.SoftLineBreak():
			out = endWord(out)
		}
		return out
	case *ast.String:
		return split(string(n.Value), style)
	case *ast.CodeSpan:
		return r.words(n, style.And(Yellow))
	case *ast.Emphasis:
		if n.Level > 1 {
			return r.words(n, style.And(Bold))
		}
		return r.words(n, style.And(Italic))
	case *ast.Link:
		out := r.words(n, style.And(Blue))
		return append(endWord(out), split("<"+string(n.Destination)+">", style.And(Faint))...)
	case *ast.Image:
		return r.words(n, style.And(Faint))
	case *ast.AutoLink:
		return split(string(n.Label(r.source)), style.And(Blue))
	case *ast.RawHTML:
		return split(string(n.Segments.Value(r.source)), style.And(Faint))
	}
	return r.words(n, style)
}

// endWord puts a blank behind the last word.
func endWord(words []word) []word {
	if len(words) == 0 {
		return []word{{space: true}}
	}
	words[len(words)-1].space = true
	return words
}

// split divides a text at its blanks. A blank at its beginning ends the word before it.
func split(raw string, style Style) []word {
	clean := Clean(raw)
	var out []word
	if strings.HasPrefix(clean, " ") {
		out = append(out, word{space: true})
	}
	fields := strings.Fields(clean)
	for i, f := range fields {
		out = append(out, word{f, style, i < len(fields)-1 || strings.HasSuffix(clean, " ")})
	}
	return out
}

// wrap lays words out in lines of a width.
func wrap(words []word, width int) []string {
	var out []string
	var line strings.Builder
	used, blank := 0, false
	end := func() {
		out = append(out, line.String())
		line.Reset()
		used, blank = 0, false
	}
	for i := 0; i < len(words); {
		if words[i].text == brk {
			end()
			i++
			continue
		}
		to, wide := gluedEnd(words, i)
		room := used
		if blank {
			room++
		}
		if used > 0 && room+wide > width {
			end()
		}
		if blank && used > 0 && wide > 0 {
			line.WriteByte(' ')
			used++
		}
		for _, w := range words[i:to] {
			// A word that is wider than the terminal is divided.
			for at, piece := range Break(w.text, width) {
				if at > 0 || used > 0 && used+Width(piece) > width {
					end()
				}
				line.WriteString(w.style.Paint(piece))
				used += Width(piece)
			}
		}
		blank = blank && wide == 0 || words[to-1].space
		i = to
	}
	if used > 0 || len(out) == 0 && len(words) > 0 {
		end()
	}
	return out
}

// gluedEnd returns the end of the words from i on that no blank divides, and their width.
func gluedEnd(words []word, i int) (to, width int) {
	for to = i; to < len(words) && words[to].text != brk; to++ {
		width += Width(words[to].text)
		if words[to].space {
			return to + 1, width
		}
	}
	return max(to, i+1), width
}
