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

// ErrTooHard is returned for a file that exceeds the limits of a parse, or that its grammar mostly does not understand.
var ErrTooHard = errors.New("the file is too hard to parse")

// Chunks returns the pieces of a file. The error is ErrTooHard or that of the context.
func Chunks(ctx context.Context, lang Language, src []byte) ([]chunk.Chunk, error) {
	tree, err := grammars.Parse(ctx, lang, prepare(lang, src))
	if errors.Is(err, grammars.ErrTooHard) {
		return nil, fmt.Errorf("%w: %w", ErrTooHard, err)
	}
	if err != nil {
		return nil, err
	}
	w := &walker{nodes: newNodes(lang, tree, src)}
	root := scope{first: 0, last: int(tree.Nodes[0].Next), start: 0, end: len(src)}
	w.members(root)
	// A file that a grammar does not understand is better divided by lines.
	if w.isLost() {
		return nil, fmt.Errorf("%w: most of it is not in the grammar", ErrTooHard)
	}
	return w.finish(), nil
}

// maxUnread limits the bytes of a file that are faults to the grammar without a declaration in them.
const maxUnread = 2 << 10

// isLost reports whether the grammar does not understand most of a file, such as after a construct that is newer than it.
func (w *walker) isLost() bool {
	unread, at := 0, 0
	for i := 0; i < len(w.tree.Nodes); i++ {
		if w.tree.Nodes[i].Symbol != grammars.ErrorSymbol {
			continue
		}
		start, end := int(w.tree.Nodes[i].Start), int(w.tree.Nodes[i].End)
		unread += end - start
		// Both lists are in the order of their starts, so each is gone through once.
		for at < len(w.found) && w.found[at].Start < start {
			at++
		}
		for ; at < len(w.found) && w.found[at].Start < end; at++ {
			unread -= min(w.found[at].End, end) - w.found[at].Start
		}
		i = w.next(i) - 1
	}
	return unread > maxUnread && unread > len(w.src)/2
}

// walker collects the chunks of a file.
type walker struct {
	*nodes
	found []piece
}

// piece is a chunk, and the node that declares it.
type piece struct {
	chunk.Chunk
	node  int
	last  int // the node after all that belong to it
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

// members reads the declarations of a scope: children of its nodes, where a child that cannot declare anything is passed
// over with all in it.
func (w *walker) members(s scope) {
	pending := -1 // the start of comments and attributes above
	var doc []int
	for c := s.first + 1; c < s.last; c = w.next(c) {
		r := w.rule(c)
		switch r.role {
		case comments:
			// A comment behind code is about that code.
			if !w.opensLine(c) {
				continue
			}
			// An empty line ends a comment that belongs to nothing.
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
		// The same holds before a declaration, unless attributes fill the gap.
		if len(doc) > 0 && w.endLine(doc[len(doc)-1])+1 < w.line(int(w.tree.Nodes[c].Start)) && !w.attachedBetween(doc[len(doc)-1], c) {
			pending, doc = -1, nil
		}
		from := int(w.tree.Nodes[c].Start)
		if pending >= 0 {
			from = pending
		}
		w.member(s, c, from, doc)
		pending, doc = -1, nil
		// Such a namespace has no body: all that follows is in it.
		if name := w.openedNamespace(c); name != "" {
			s.crumbs = append(slices.Clone(s.crumbs), name)
		}
	}
}

// openedNamespace returns the name of a namespace that consists of all declarations after a node: "namespace App;".
func (w *walker) openedNamespace(c int) string {
	kind := w.tree.Kind(c)
	if kind != "file_scoped_namespace_declaration" && (kind != "namespace_definition" || w.lang != PHP || w.child(c, "body") >= 0) {
		return ""
	}
	name, _ := w.name(c)
	return name
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
	// Signatures within an interface belong to its chunk.
	if d := w.declaration(c); d >= 0 && (w.tree.Kind(d) != "method_signature" || s.kind == chunk.Class) {
		w.declare(s, c, d, from, doc)
		return
	}
	if body, name := w.innerDeclarations(c); body >= 0 {
		inner := s
		inner.first, inner.last = body, w.next(body)
		if name != "" {
			inner.crumbs = append(slices.Clone(s.crumbs), name)
		}
		w.members(inner)
		return
	}
	// Declarations may be within conditions, faults and other wrappers.
	if w.rule(c).role == enters || w.rule(c).role == wraps || w.tree.Nodes[c].Symbol == grammars.ErrorSymbol || w.tree.Kind(c) == "declaration" || w.tree.Kind(c) == "type_definition" || w.tree.Kind(c) == "field_declaration" {
		inner := s
		inner.first, inner.last = c, w.next(c)
		w.members(inner)
	}
}

// maxDepth limits the depth of types within types; a deeper type belongs to the chunk of its type.
const maxDepth = 50

// declare adds the chunk of a declaration, and those of its members. Outer is the node with all that belongs to it.
func (w *walker) declare(s scope, outer, c, from int, doc []int) {
	n := w.tree.Nodes[outer]
	body := w.body(c)
	name, of := w.name(c)
	p := piece{node: c, last: w.withAccessors(c)}
	p.End = int(n.End)
	for a := w.next(c); a < p.last; a = w.next(a) {
		p.End = max(p.End, int(w.tree.Nodes[a].End))
	}
	p.whole = p.End
	p.Kind = w.kind(s, c, of)
	p.Symbols = w.symbols(outer, c, p.Kind, name)
	p.Signature = w.signature(outer, c, body)
	p.Doc = w.docText(c, body, doc)
	p.Start = from
	crumbs := s.crumbs
	if of != "" {
		crumbs = append(slices.Clone(crumbs), of)
	}
	crumbs = append(slices.Clone(crumbs), p.Symbols[0])
	if len(crumbs) > 1 {
		p.Breadcrumb = strings.Join(crumbs, " > ")
	}
	if p.Kind.IsType() || p.Kind == chunk.Namespace {
		p.Inherits = w.basesOf(c, body)
	}
	at := len(w.found)
	w.found = append(w.found, p)
	if body < 0 || p.Kind.IsCallable() || !p.Kind.IsType() && p.Kind != chunk.Namespace || len(crumbs) > maxDepth {
		return
	}
	w.members(scope{first: body, last: w.next(body), start: int(n.Start), end: p.End, crumbs: crumbs, kind: p.Kind})
	// A type is a chunk up to its first member that is one.
	if len(w.found) > at+1 {
		w.found[at].End = w.found[at+1].Start
	}
}
