package syntax

import (
	"strings"

	"chant/engine/code/chunk"
)

// childWord returns the word by which Swift and Kotlin say what a class declaration is: "struct", "interface".
func (w *nodes) childWord(c int) string {
	for d := c + 1; d < w.next(c); d = w.next(d) {
		if !w.tree.Nodes[d].Named {
			switch t := w.text(d); t {
			case "class", "struct", "enum", "actor", "extension", "interface", "object":
				return t
			}
		}
	}
	return ""
}

// kind returns the kind of a declaration: that of its rule, unless where it is or a word within it says otherwise.
func (w *nodes) kind(s scope, c int, of string) chunk.Kind {
	kind := w.rule(c).kind
	name, _ := w.name(c)
	switch {
	case w.classValue(c):
		return chunk.Class
	case w.lang == CSharp && w.tree.Kind(c) == "record_declaration" && w.childWord(c) == "struct":
		return chunk.Struct
	case kind == chunk.Class && w.tree.Kind(c) == "assignment" && strings.HasPrefix(w.text(max(w.child(c, "right"), c)), "Module"):
		return chunk.Namespace
	case kind == chunk.Class && (w.lang == Swift || w.lang == Kotlin):
		words := map[string]chunk.Kind{"struct": chunk.Struct, "actor": chunk.Actor, "extension": chunk.Extension, "interface": chunk.Interface, "enum": chunk.Enum}
		if k, ok := words[w.childWord(c)]; ok {
			return k
		}
		if w.lang == Kotlin && w.child(c, "enum_class_body") >= 0 {
			return chunk.Enum
		}
	case kind == chunk.Function && w.tree.Kind(c) != "lexical_declaration" && (s.inType() || of != ""), kind == chunk.Method:
		last := of
		if last == "" && len(s.crumbs) > 0 {
			last = s.crumbs[len(s.crumbs)-1]
		}
		if _, after, ok := cutLast(last, " > "); ok {
			last = after
		}
		switch {
		case name == "__init__" || name == "constructor" || name == "initialize" || name == "__construct",
			(w.lang == CPP || w.lang == C) && name == last:
			return chunk.Initializer
		case strings.HasPrefix(name, "~"), name == "__del__", name == "__destruct":
			return chunk.Deinitializer
		case name == "__getitem__" || name == "operator[]":
			return chunk.Subscript
		// At the top level of Ruby a method belongs to no type.
		case w.lang == Ruby && !s.inType() && s.kind != chunk.Namespace:
			return chunk.Function
		}
		return chunk.Method
	}
	return kind
}

// classValue reports whether a variable is declared whose value is a class.
func (w *nodes) classValue(c int) bool {
	v := w.value(c)
	return v >= 0 && w.tree.Kind(v) == "class"
}
