package syntax

import (
	"slices"
	"strings"

	"chant/engine/code/chunk"
)

// declaration returns the node that declares something: the given one, or one that it wraps; -1 if nothing does.
func (w *nodes) declaration(c int) int {
	// Wrappers are not nested deeper in real code.
	for range 4 {
		kind := w.tree.Kind(c)
		switch r := w.rule(c); {
		case r.role == declares && w.fitsRule(c, r):
			return c
		case kind == "declaration" || kind == "field_declaration":
			return w.typeWithVariables(c)
		case kind == "export_statement" && w.value(c) >= 0:
			return c
		case r.role == wraps, kind == "linkage_specification" && w.child(c, "declaration_list") < 0:
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
		case w.lang == Ruby:
			return w.rubyDeclaration(c)
		default:
			return -1
		}
	}
	return -1
}

// typeWithVariables returns the type in a declaration of C that declares one, and variables with it, or -1.
func (w *nodes) typeWithVariables(c int) int {
	t := w.child(c, "type")
	if t < 0 || w.rule(t).role != declares || w.child(t, "body") < 0 || w.child(t, "name") < 0 {
		return -1
	}
	return t
}

// fitsRule reports whether a node contains what its rule needs.
func (w *nodes) fitsRule(c int, r rule) bool {
	switch r.needs {
	case "":
		return true
	case "function":
		// An element of something that is assigned has no name of its own.
		if left := w.child(c, "left"); left >= 0 && w.tree.Kind(left) != "identifier" && w.tree.Kind(left) != "member_expression" {
			return false
		}
		return w.value(c) >= 0
	case "accessors with code":
		for d := c + 1; d < w.next(c); d++ {
			if k := w.tree.Kind(d); k == "block" || k == "arrow_expression_clause" {
				return true
			}
		}
		return false
	case "accessors":
		return w.child(c, "computed_property") >= 0 || w.child(c, "willset_didset_block") >= 0 || w.child(c, "getter") >= 0 ||
			w.child(c, "setter") >= 0 || w.withAccessors(c) > w.next(c)
	case "name and body":
		return w.child(c, "name") >= 0 && w.child(c, "body") >= 0
	case "function_declarator":
		return w.isFunction(w.child(c, "declarator"))
	default:
		return w.child(c, r.needs) >= 0
	}
}

// isFunction reports whether a declarator of C is that of a function, and not of a pointer to one.
func (w *nodes) isFunction(d int) bool {
	seen := false // a declarator of a function, whose name is next
	for range 12 {
		if d < 0 {
			return false
		}
		inner := w.child(d, "declarator")
		switch w.tree.Kind(d) {
		case "operator_cast":
			return true
		// A qualifier with a template argument may contain a declarator of its own.
		case "qualified_identifier":
			if n := w.child(d, "name"); n >= 0 && !seen {
				d = n
				continue
			}
			return seen
		case "function_declarator":
			seen = true
		case "parenthesized_declarator", "reference_declarator":
			if inner = d + 1; inner >= w.next(d) {
				return false
			}
		case "pointer_declarator", "array_declarator", "attributed_declarator", "init_declarator":
			seen = false
		default:
			return seen
		}
		d = inner
	}
	return false
}

// withAccessors returns the node after a declaration, and after the accessors that follow a property of Kotlin.
func (w *nodes) withAccessors(c int) int {
	last := w.next(c)
	if w.lang != Kotlin || w.tree.Kind(c) != "property_declaration" {
		return last
	}
	for last < len(w.tree.Nodes) && (w.tree.Kind(last) == "getter" || w.tree.Kind(last) == "setter") {
		last = w.next(last)
	}
	return last
}

// symbols returns the names that a declaration declares, its own first.
func (w *nodes) symbols(outer, c int, kind chunk.Kind, name string) []string {
	all := []string{name}
	add := func(more string) {
		if more != "" && !slices.Contains(all, more) {
			all = append(all, more)
		}
	}
	if kind == chunk.Extension && w.lang == Swift {
		all = []string{name + " (extension)", name}
		// Nested types are searched for by their last name as well.
		if _, last, ok := cutLast(name, "."); ok {
			add(last)
		}
	}
	if t := w.child(c, "type"); t >= 0 && w.tree.Kind(c) == "type_definition" {
		if n := w.child(t, "name"); n >= 0 && w.child(t, "body") >= 0 {
			add(w.text(n))
		}
	}
	switch w.tree.Kind(outer) {
	case "type_definition", "declaration", "field_declaration":
		if w.rule(c).kind.IsType() {
			for d := outer + 1; d < w.next(outer); d = w.next(d) {
				if w.field(d) == "declarator" {
					add(w.text(w.declaredName(d)))
				}
			}
		}
	case "lexical_declaration", "variable_declaration":
		for d := c + 1; d < w.next(c); d = w.next(d) {
			if n := w.child(d, "name"); n >= 0 && w.tree.Kind(d) == "variable_declarator" && w.tree.Kind(n) == "identifier" {
				add(w.text(n))
			}
		}
	}
	return all
}

// bodies are the kinds of nodes with the members or statements of a declaration, where no field names them.
var bodies = []string{"class_body", "enum_class_body", "function_body", "declaration_list", "field_declaration_list", "block",
	"compound_statement", "enum_body", "object_type", "interface_body", "accessor_list", "computed_property", "arrow_expression_clause",
	"statements", "statement_block", "getter", "setter"}

// body returns the node with the members or statements of a declaration, or -1.
func (w *nodes) body(c int) int {
	if v := w.value(c); v >= 0 {
		c = v
	}
	if w.lang == Ruby {
		if b := w.rubyBlock(c); b >= 0 {
			return b
		}
	}
	if b := w.child(c, "body"); b >= 0 {
		return b
	}
	for d := c + 1; d < w.next(c); d = w.next(d) {
		if slices.Contains(bodies, w.tree.Kind(d)) {
			return d
		}
	}
	if w.lang == Kotlin {
		return w.bodyOfDelegate(c)
	}
	return -1
}

// bodyOfDelegate returns the body of an object that the grammar takes for an argument of its delegate, or -1:
// "object Rows : Store by Memory() { … }".
func (w *nodes) bodyOfDelegate(c int) int {
	for d := c + 1; d < w.next(c); d = w.next(d) {
		// Only a delegate at the end of the declaration can have swallowed its body.
		if w.tree.Kind(d) != "delegation_specifier" || !w.hasKind(w.first(d), "explicit_delegation") || w.next(d) < w.next(c) {
			continue
		}
		for i := d + 1; i < w.next(d); i++ {
			if w.tree.Kind(i) == "lambda_literal" && w.tree.Nodes[i].End == w.tree.Nodes[c].End {
				if s := w.child(i, "statements"); s >= 0 {
					return s
				}
			}
		}
	}
	return -1
}

// oneLine returns a text with single spaces for all white space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
