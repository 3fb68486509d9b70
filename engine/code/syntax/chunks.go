package syntax

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/code/chunk"
	"chant/grammars"
)

// ErrTooHard is returned for a file that exceeds the limits of a parse.
var ErrTooHard = errors.New("the file is too hard to parse")

// Chunks returns the pieces of a file. The error is ErrTooHard or that of the context.
func Chunks(ctx context.Context, lang Language, src []byte) ([]chunk.Chunk, error) {
	tree, err := grammars.Parse(ctx, lang, src)
	if errors.Is(err, grammars.ErrTooHard) {
		return nil, fmt.Errorf("%w: %w", ErrTooHard, err)
	}
	if err != nil {
		return nil, err
	}
	w := &walker{lang: lang, tree: tree, src: string(src), lines: lineStarts(src)}
	t := tableOf(lang)
	w.rules = make([]rule, len(tree.Symbols))
	for i, name := range tree.Symbols {
		w.rules[i] = t[name]
	}
	root := scope{first: 0, last: int(tree.Nodes[0].Next), start: 0, end: len(src)}
	w.members(root)
	return w.finish(), nil
}

// walker collects the chunks of a file.
type walker struct {
	lang  Language
	tree  *grammars.Tree
	src   string
	lines []int // the starts of lines
	rules []rule
	found []piece
}

// piece is a chunk, and the node that declares it.
type piece struct {
	chunk.Chunk
	node  int
	whole int // where the declaration ends, with its members
}

// scope is a file, type or namespace whose members are read.
type scope struct {
	first, last int // its nodes
	start, end  int // its bytes
	crumbs      []string
	kind        chunk.Kind // "" for a file
}

// in reports whether the members of a scope belong to a type.
func (s scope) inType() bool { return s.kind.IsType() }

func (w *walker) rule(i int) rule {
	s := int(w.tree.Nodes[i].Symbol)
	if s >= len(w.rules) || !w.tree.Nodes[i].Named {
		return rule{}
	}
	return w.rules[s]
}

func (w *walker) next(i int) int { return int(w.tree.Nodes[i].Next) }

func (w *walker) text(i int) string {
	n := w.tree.Nodes[i]
	return w.src[n.Start:n.End]
}

func (w *walker) field(i int) string {
	f := int(w.tree.Nodes[i].Field)
	if f >= len(w.tree.Fields) {
		return ""
	}
	return w.tree.Fields[f]
}

// child returns the first child of a node that is the named field or of the named kind, or -1.
func (w *walker) child(i int, want string) int {
	for c := i + 1; c < w.next(i); c = w.next(c) {
		if w.field(c) == want || w.tree.Kind(c) == want {
			return c
		}
	}
	return -1
}

// members reads the declarations of a scope: children of its nodes, where a child that cannot declare anything is passed
// over with all in it.
func (w *walker) members(s scope) {
	pending := -1 // the start of comments and attributes above
	var doc []int
	for c := s.first + 1; c < s.last; c = w.next(c) {
		r := w.rule(c)
		switch r.role {
		case comments:
			if !w.opensLine(c) {
				continue
			}
			if len(doc) > 0 && w.endLine(doc[len(doc)-1])+1 < w.line(int(w.tree.Nodes[c].Start)) {
				pending, doc = -1, nil
			}
			doc = append(doc, c)
			if pending < 0 {
				pending = int(w.tree.Nodes[c].Start)
			}
			continue
		case attaches:
			if pending < 0 {
				pending = int(w.tree.Nodes[c].Start)
			}
			continue
		}
		if len(doc) > 0 && w.endLine(doc[len(doc)-1])+1 < w.line(int(w.tree.Nodes[c].Start)) && !w.attachedBetween(doc[len(doc)-1], c) {
			pending, doc = -1, nil
		}
		from := int(w.tree.Nodes[c].Start)
		if pending >= 0 {
			from = pending
		}
		w.member(s, c, from, doc)
		pending, doc = -1, nil
	}
}

// attachedBetween reports whether an attribute is between two siblings.
func (w *walker) attachedBetween(a, b int) bool {
	for c := w.next(a); c < b; c = w.next(c) {
		if w.rule(c).role == attaches {
			return true
		}
	}
	return false
}

// member reads what a child of a scope declares.
func (w *walker) member(s scope, c, from int, doc []int) {
	if d := w.declaration(c); d >= 0 {
		w.declare(s, c, d, from, doc)
		return
	}
	if w.rule(c).role == enters || w.rule(c).role == wraps || w.tree.Nodes[c].Symbol == grammars.ErrorSymbol || w.tree.Kind(c) == "declaration" || w.tree.Kind(c) == "type_definition" || w.tree.Kind(c) == "field_declaration" {
		inner := s
		inner.first, inner.last = c, w.next(c)
		w.members(inner)
	}
}

// declaration returns the node that declares something: the given one, or one that it wraps; -1 if nothing does.
func (w *walker) declaration(c int) int {
	for range 4 {
		r := w.rule(c)
		switch r.role {
		case declares:
			if r.needs != "" && !w.has(c, r) {
				return -1
			}
			return c
		case wraps:
			inner := -1
			for d := c + 1; d < w.next(c); d = w.next(d) {
				if k := w.rule(d).role; k == declares || k == wraps {
					inner = d
				}
			}
			if inner < 0 {
				return -1
			}
			c = inner
		default:
			return -1
		}
	}
	return -1
}

// has reports whether a node contains what its rule needs.
func (w *walker) has(c int, r rule) bool {
	switch {
	case r.needs == "function": // a variable whose value is a function or class
		v := w.child(c, r.field)
		if v < 0 {
			return false
		}
		v = w.child(v, "value")
		return v >= 0 && slices.Contains([]string{"arrow_function", "function_expression", "function", "generator_function", "class"}, w.tree.Kind(v))
	case r.needs == "accessors with code":
		for d := c + 1; d < w.next(c); d++ {
			if k := w.tree.Kind(d); k == "block" || k == "arrow_expression_clause" {
				return true
			}
		}
		return false
	case r.needs == "function_declarator":
		d := w.child(c, "declarator")
		for range 8 {
			if d < 0 {
				return false
			}
			if w.tree.Kind(d) == r.needs {
				inner := w.child(d, "declarator")
				return inner >= 0 && w.tree.Kind(inner) != "parenthesized_declarator"
			}
			d = w.child(d, "declarator")
		}
		return false
	default:
		return w.child(c, r.needs) >= 0
	}
}

// mostDepth is how deep types may be within types; what is deeper belongs to the chunk of its type.
const mostDepth = 50

// declare adds the chunk of a declaration, and those of its members. Outer is the node with all that belongs to it.
func (w *walker) declare(s scope, outer, c, from int, doc []int) {
	n := w.tree.Nodes[outer]
	body := w.body(c)
	name, of := w.name(c)
	p := piece{node: c, whole: int(n.End)}
	p.Kind = w.kind(s, c, of)
	if p.Kind == chunk.Extension && w.lang == Swift {
		p.Symbols = append(p.Symbols, name+" (extension)")
	}
	p.Symbols = append(p.Symbols, name)
	if t := w.child(c, "type"); t >= 0 && w.tree.Kind(c) == "type_definition" {
		if n := w.child(t, "name"); n >= 0 && w.child(t, "body") >= 0 && w.text(n) != name {
			p.Symbols = append(p.Symbols, w.text(n))
		}
	}
	p.Signature = w.signature(outer, c, body)
	p.Doc = w.docText(c, body, doc)
	p.Start, p.End = from, int(n.End)
	crumbs := s.crumbs
	if of != "" {
		crumbs = append(slices.Clone(crumbs), of)
	}
	crumbs = append(slices.Clone(crumbs), p.Symbols[0])
	if len(crumbs) > 1 {
		p.Breadcrumb = strings.Join(crumbs, " > ")
	}
	if p.Kind.IsType() || p.Kind == chunk.Namespace {
		p.Inherits = w.inherits(c, body)
	}
	at := len(w.found)
	w.found = append(w.found, p)
	if body < 0 || p.Kind.IsCallable() || !p.Kind.IsType() && p.Kind != chunk.Namespace || len(crumbs) > mostDepth {
		return
	}
	w.members(scope{first: body, last: w.next(body), start: int(n.Start), end: int(n.End), crumbs: crumbs, kind: p.Kind})
	if len(w.found) > at+1 {
		w.found[at].End = w.found[at+1].Start
	}
}
