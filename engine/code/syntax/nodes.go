package syntax

import (
	"slices"
	"sort"
	"strings"

	"chant/grammars"
)

// nodes is the tree of a file, and what its nodes mean.
type nodes struct {
	lang  Language
	tree  *grammars.Tree
	src   string
	lines []int  // the starts of lines
	rules []rule // by symbol
}

func newNodes(lang Language, tree *grammars.Tree, src []byte) *nodes {
	w := &nodes{lang: lang, tree: tree, src: string(src), lines: lineStarts(src), rules: make([]rule, len(tree.Symbols))}
	t := tableOf(lang)
	for i, name := range tree.Symbols {
		w.rules[i] = t[name]
	}
	return w
}

func (w *nodes) rule(i int) rule {
	s := int(w.tree.Nodes[i].Symbol)
	if s >= len(w.rules) || !w.tree.Nodes[i].Named {
		return rule{}
	}
	return w.rules[s]
}

func (w *nodes) next(i int) int { return int(w.tree.Nodes[i].Next) }

func (w *nodes) text(i int) string {
	n := w.tree.Nodes[i]
	return w.src[n.Start:n.End]
}

func (w *nodes) field(i int) string {
	f := int(w.tree.Nodes[i].Field)
	if f >= len(w.tree.Fields) {
		return ""
	}
	return w.tree.Fields[f]
}

// child returns the first child of a node that is the named field, or else is of the named kind, or -1.
func (w *nodes) child(i int, want string) int {
	kind := -1
	for c := i + 1; c < w.next(i); c = w.next(c) {
		if w.field(c) == want {
			return c
		}
		if kind < 0 && w.tree.Kind(c) == want {
			kind = c
		}
	}
	return kind
}

// first returns the first child of a node, or -1.
func (w *nodes) first(i int) int {
	if i < 0 || i+1 >= w.next(i) {
		return -1
	}
	return i + 1
}

// hasKind reports whether a node exists and is of one of some kinds.
func (w *nodes) hasKind(i int, kinds ...string) bool {
	return i >= 0 && slices.Contains(kinds, w.tree.Kind(i))
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, b := range src {
		if b == '\n' && i+1 < len(src) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// line returns the number of the line in which a byte is.
func (w *nodes) line(at int) int { return sort.SearchInts(w.lines, at+1) }

// endLine returns the number of the line in which the text of a node ends.
func (w *nodes) endLine(i int) int {
	text := strings.TrimRight(w.text(i), " \t\r\n")
	return w.line(max(int(w.tree.Nodes[i].Start)+len(text)-1, int(w.tree.Nodes[i].Start)))
}

// opensLine reports whether a node is the first on its line.
func (w *nodes) opensLine(i int) bool {
	at := int(w.tree.Nodes[i].Start)
	return blank(w.src[w.lines[w.line(at)-1]:at])
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
