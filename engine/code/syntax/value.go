package syntax

import (
	"slices"
	"strings"
)

// functions are the kinds of nodes that are functions or classes without a declaration.
var functions = []string{"arrow_function", "function_expression", "function", "generator_function", "class"}

// wrappers are functions that return one like that which they are called with.
var wrappers = []string{"memo", "forwardRef", "observer", "memoize", "debounce", "throttle"}

// assignedValue returns the value of the variable, property or export of a node, or -1.
func (w *nodes) assignedValue(c int) int {
	switch w.tree.Kind(c) {
	case "lexical_declaration", "variable_declaration":
		if c = w.child(c, "variable_declarator"); c >= 0 {
			return w.child(c, "value")
		}
	case "assignment_expression":
		return w.child(c, "right")
	case "pair", "public_field_definition", "field_definition", "export_statement":
		return w.child(c, "value")
	}
	return -1
}

// value returns the function or class that is the value of a variable, property or export, or -1.
func (w *nodes) value(c int) int {
	if w.lang > JavaScript || w.lang < TypeScript {
		return -1
	}
	v := w.unwrapped(w.assignedValue(c))
	if v >= 0 && w.tree.Kind(v) == "call_expression" {
		f := w.child(v, "function")
		if f < 0 {
			return -1
		}
		if name, _ := lastName(withoutTypeArguments(w.text(f))); !slices.Contains(wrappers, name) {
			return -1
		}
		v = w.unwrapped(w.first(w.child(v, "arguments")))
	}
	if v < 0 || !slices.Contains(functions, w.tree.Kind(v)) {
		return -1
	}
	return v
}

// unwrapped returns an expression without the parentheses and types around it.
func (w *nodes) unwrapped(v int) int {
	for range 8 {
		if v < 0 {
			return -1
		}
		switch w.tree.Kind(v) {
		case "parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "unary_expression", "await_expression":
			inner := -1
			for c := v + 1; c < w.next(v) && inner < 0; c = w.next(c) {
				if w.tree.Nodes[c].Named {
					inner = c
				}
			}
			v = inner
		default:
			return v
		}
	}
	return -1
}

// innerDeclarations returns the node with the declarations within a statement, or -1: an object whose properties are functions, the
// body of a function that is called at once or passed on, a block of Ruby. Name is that of the object, if it has one.
func (w *nodes) innerDeclarations(c int) (body int, name string) {
	if w.lang == Ruby {
		return w.rubyBlock(c), ""
	}
	if w.lang > JavaScript || w.lang < TypeScript {
		return -1, ""
	}
	v := c
	if w.tree.Kind(c) == "export_statement" {
		if d := w.child(c, "declaration"); d >= 0 {
			v = d
		}
	}
	if o := w.unwrapped(w.assignedValue(v)); o >= 0 && w.tree.Kind(o) == "object" {
		if v != c || w.tree.Kind(c) != "export_statement" {
			name = w.objectName(v)
		}
		return o, name
	}
	// This is a call such as defineStore({ … }), or a class that is compiled.
	if o := w.unwrapped(w.assignedValue(v)); w.hasKind(o, "call_expression") {
		if body = w.calledInside(o, false); body >= 0 {
			return body, w.objectName(v)
		}
		return -1, ""
	}
	return w.calledInside(w.unwrapped(v), true), ""
}

// calledInside returns the longest body of a function that is called at once or, if wanted, is an argument of a call, or
// else an object that is an argument; -1 if nothing.
func (w *nodes) calledInside(v int, arguments bool) int {
	if !w.hasKind(v, "call_expression") {
		return -1
	}
	called := w.unwrapped(w.child(v, "function"))
	a := w.child(v, "arguments")
	best, object := -1, -1
	consider := func(f int) {
		if !w.hasKind(f, functions...) {
			return
		}
		// The longest function has the code of the module; others are mostly callbacks.
		if b := w.child(f, "body"); w.hasKind(b, "statement_block") && (best < 0 || len(w.text(b)) > len(w.text(best))) {
			best = b
		}
	}
	consider(called)
	called = best
	for d := w.first(a); d >= 0 && d < w.next(a); d = w.next(d) {
		if arguments || called >= 0 {
			consider(d)
		}
		if w.hasKind(d, "object") {
			object = d
		}
	}
	if best < 0 {
		return object
	}
	return best
}

// objectName returns the name of an object that a node assigns, or "" if it is that of the module.
func (w *nodes) objectName(c int) string {
	at := w.nameNode(c)
	if at < 0 {
		return ""
	}
	name, of := memberName(oneLine(w.text(at)))
	// Members of a prototype belong to the type itself.
	if of != "" && (name == "prototype" || name == "fn") {
		return of
	}
	if name == "exports" {
		return ""
	}
	return name
}

// memberName divides what is assigned to: "f" and "A" of A.prototype.f, "f" of exports.f.
func memberName(text string) (name, of string) {
	parts := strings.Split(text, ".")
	name = parts[len(parts)-1]
	parts = slices.DeleteFunc(parts[:len(parts)-1], func(p string) bool {
		return slices.Contains([]string{"module", "exports", "prototype", "window", "globalThis", "self", "this", "global", "root"}, p)
	})
	return name, strings.Join(parts, " > ")
}

// rubyBlock returns the statements of the block that a call, or a call that is assigned to a constant, ends with, or -1.
func (w *nodes) rubyBlock(c int) int {
	if w.tree.Kind(c) == "assignment" {
		if c = w.child(c, "right"); c < 0 {
			return -1
		}
	}
	if w.tree.Kind(c) != "call" {
		return -1
	}
	b := w.child(c, "block")
	if b < 0 {
		b = w.child(c, "do_block")
	}
	if b < 0 {
		return -1
	}
	return w.child(b, "body")
}

// rubyDeclaration returns the declaration in a call or assignment of Ruby, or -1: define_method(:a) { … }, private def a,
// Row = Struct.new(:a).
func (w *nodes) rubyDeclaration(c int) int {
	switch w.tree.Kind(c) {
	case "assignment":
		left, right := w.child(c, "left"), w.child(c, "right")
		if left < 0 || right < 0 || w.tree.Kind(left) != "constant" || w.tree.Kind(right) != "call" {
			return -1
		}
		text := w.text(right)
		for _, maker := range []string{"Struct.new", "Class.new", "Data.define", "Module.new"} {
			if strings.HasPrefix(text, maker) {
				return c
			}
		}
	case "call":
		method, arguments := w.child(c, "method"), w.child(c, "arguments")
		if method < 0 || arguments < 0 {
			return -1
		}
		if name := w.text(method); (name == "define_method" || name == "define_singleton_method") && w.child(c, "receiver") < 0 {
			if w.hasKind(w.first(arguments), "simple_symbol", "string") {
				return c
			}
		}
		for d := arguments + 1; d < w.next(arguments); d = w.next(d) {
			if k := w.tree.Kind(d); k == "method" || k == "singleton_method" {
				return d
			}
			if w.tree.Kind(d) == "call" {
				if inner := w.rubyDeclaration(d); inner >= 0 {
					return inner
				}
			}
		}
	}
	return -1
}
