package syntax

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chant/engine/code/chunk"
)

// selves are the words for the own object or type.
var selves = []string{"self", "this", "Self", "$this", "cls", "static"}

// maxEdges limits the edges of a chunk that are kept.
const maxEdges = 400

// edgeSet collects the edges of a chunk, each once.
type edgeSet struct {
	seen map[chunk.Edge]bool
	list []chunk.Edge
}

func (s *edgeSet) add(kind chunk.EdgeKind, name, of string, line int) {
	key := chunk.Edge{Kind: kind, Name: name, Of: of}
	// Each use counts once, at its first place.
	if name == "" || s.seen[key] || len(s.list) == maxEdges {
		return
	}
	if s.seen == nil {
		s.seen = map[chunk.Edge]bool{}
	}
	s.seen[key] = true
	key.Line = line
	s.list = append(s.list, key)
}

// addUses adds the edges of all nodes that start between two bytes of the file. Own is the type in which self is.
func (w *nodes) addUses(set *edgeSet, first, last, start, end int, own string) {
	for i := first; i < last; i++ {
		n := w.tree.Nodes[i]
		// Nodes are in order, so all within one that ends earlier are skipped.
		if int(n.End) <= start && w.next(i) > i+1 {
			i = w.next(i) - 1
			continue
		}
		if int(n.Start) < start || int(n.Start) >= end {
			continue
		}
		line := w.line(int(n.Start))
		switch r := w.rule(i); r.role {
		// An export may name the file that it comes from.
		case wraps:
			if c := w.child(i, "source"); c >= 0 {
				set.add(chunk.Imports, strings.Trim(w.text(c), "\"'`"), "", line)
			}
		case imports:
			for _, path := range w.importPaths(i, r) {
				set.add(chunk.Imports, path, "", line)
			}
		case calls:
			w.addCall(set, i, r, own)
		case passes:
			if name, of := lastName(w.text(i)); name != "new" && name != "class" {
				if slices.Contains(selves, of) {
					of = own
				}
				set.add(chunk.References, name, of, line)
			} else if name == "new" {
				set.add(chunk.Calls, of, "", line)
			}
		case names:
			if w.field(i) != "name" || w.lang == Swift {
				// A name of one letter is mostly a type parameter.
				if name, of := lastName(withoutArguments(w.text(i))); len(name) > 1 && name != own {
					set.add(chunk.References, name, of, line)
				}
			}
		default:
			if f := w.field(i); (f == "type" || f == "returns" || f == "return_type") && (w.lang == CSharp || w.lang == Python) && n.Named {
				if k := w.tree.Kind(i); k == "identifier" || k == "type" || k == "qualified_name" || k == "generic_name" {
					name, of := lastName(withoutArguments(w.text(i)))
					set.add(chunk.References, name, of, line)
				}
			}
		}
	}
}

// addCall adds the edge of a call, which may be that of an import.
func (w *nodes) addCall(set *edgeSet, i int, r rule, own string) {
	line := w.line(int(w.tree.Nodes[i].Start))
	name, of := w.callee(i, r)
	if slices.Contains(selves, of) {
		of = own
	}
	if of == "" && slices.Contains(selves, name) {
		name = own
	}
	path := -1
	switch {
	case of == "" && strings.HasPrefix(w.tree.Kind(i), "jsx_"):
		// A name in small letters is an element of HTML.
		if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
			return
		}
	case w.lang == PHP:
		of = strings.TrimPrefix(of, "$")
		// Such a function is only known when it runs.
		if strings.HasPrefix(name, "$") {
			return
		}
	case w.lang == Bash && (name == "source" || name == "." || strings.HasPrefix(w.text(i), ". ")):
		path = w.child(i, "argument")
	case of == "" && (w.lang == Ruby || w.lang >= TypeScript && w.lang <= JavaScript) && slices.Contains(loaders, name):
		path = w.child(i, "arguments")
	}
	if path >= 0 {
		set.add(chunk.Imports, strings.Trim(w.text(path), "()\"'` "), "", line)
		return
	}
	set.add(chunk.Calls, name, of, line)
}

// loaders are the functions of Ruby and JavaScript that load a file.
var loaders = []string{"require", "require_relative", "load", "import"}

// callee returns the name that a call names, and its qualifier.
func (w *nodes) callee(i int, r rule) (name, of string) {
	end := -1
	if r.field != "" {
		if c := w.child(i, r.field); c >= 0 {
			end = int(w.tree.Nodes[c].End)
			// The name of a created type follows the word that creates it.
			if strings.HasPrefix(w.text(i), "new") || w.tree.Kind(i) == "object_creation_expression" {
				return lastName(withoutArguments(w.text(c)))
			}
		}
	}
	if end < 0 {
		for c := i + 1; c < w.next(i); c = w.next(c) {
			if w.tree.Nodes[c].Named && w.rule(c).role != marks {
				end = int(w.tree.Nodes[c].End)
				break
			}
		}
	}
	if end < 0 {
		return "", ""
	}
	// Brackets are an element, not a call.
	if w.lang == Swift && end < len(w.src) && w.src[end] == '[' {
		return "", ""
	}
	return lastName(withoutTypeArguments(w.src[w.tree.Nodes[i].Start:end]))
}

// withoutTypeArguments cuts the type arguments at the end of a text.
func withoutTypeArguments(text string) string {
	if !strings.HasSuffix(text, ">") {
		return text
	}
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return strings.TrimSuffix(text[:i], "::")
			}
		}
	}
	return text
}

// lastName divides "a.b.c" into "c" and "b". The second is "" if the first has no name before it.
func lastName(text string) (name, of string) {
	text = strings.TrimRight(strings.TrimSpace(text), "!?")
	name, rest := lastWord(text)
	trimmed := strings.TrimRight(rest, " \t\r\n")
	for _, dot := range []string{"?->", "->", "::", "?.", "!!.", "!.", ".", "\\", "&."} {
		if before, ok := strings.CutSuffix(trimmed, dot); ok {
			of, rest = lastWord(strings.TrimRight(withoutTypeArguments(strings.TrimSpace(before)), "!?"))
			// Outer.this of Java is an object of Outer.
			if outer, ok := strings.CutSuffix(rest, "."); ok && of == "this" {
				of, _ = lastWord(outer)
			}
			return name, of
		}
	}
	if strings.TrimLeft(trimmed, "&*!~-+(@ ") != "" && !strings.HasSuffix(trimmed, " ") && strings.ContainsAny(trimmed, "\n;{") {
		return "", ""
	}
	return name, ""
}

// lastWord divides a text into the name at its end and the text before it.
func lastWord(text string) (word, before string) {
	i := len(text)
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if r != '_' && r != '$' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		// A dash is only a part of a name between letters, as in Bash.
		if r == '-' && (i == len(text) || !unicode.IsLetter(rune(text[i]))) {
			break
		}
		i -= size
	}
	return text[i:], text[:i]
}
